import type { Sandbox, TextModel } from '../../core/ports.ts';
import type { Language } from '../../core/task.ts';
import { type GivenRunOptions, parseRunOptions } from '../../options/tables/run-options.ts';
import { createModel } from '../model/create-model.ts';
import { openSandbox } from '../open-parts.ts';

export interface CreateSandboxOptions {
  /** The language that is started immediately; others start when first used. Defaults to Python. */
  readonly language?: Language;
  /** Seconds that one execution may take; defaults to 10. */
  readonly timeout?: number;
  /** MiB that one execution may take; defaults to 1024. */
  readonly memory?: number;
  /** The isolation level, which must work here; defaults to the strongest that works. */
  readonly isolation?: 'bubblewrap' | 'namespaces' | 'seatbelt' | 'ulimit';
  /** Refuse the weakest level, `ulimit`. */
  readonly requireIsolation?: boolean;
  /** `docker` runs Python in warm containers; defaults to `process`. */
  readonly sandbox?: 'process' | 'docker';
}

/**
 * Starts a sandbox, which judges candidates by tests: in two processes, of which the one that runs the tests never runs
 * the candidate, or in one if the tests need more than plain data (`judge` in what `execute` returns). Close it when it
 * is no longer needed.
 *
 * ```ts
 * import { createSandbox } from 'hefix';
 *
 * const sandbox = await createSandbox({ timeout: 5 });
 * const { verdict, stdout, isolation } = await sandbox.execute({
 *   language: 'python',
 *   candidate: 'def area(w, h):\n    return w * h\n',
 *   tests: 'assert area(2, 3) == 6\n',
 *   entryPoint: 'area',
 * });
 * console.log(verdict.kind, stdout, isolation);
 * await sandbox.close();
 * ```
 *
 * @param options The language to start with, and those of `hefix run`.
 * @throws HefixError one of the OPTION_ errors, `LANGUAGE_UNSUPPORTED`, `ISOLATED_VM_MISSING`, or one of the PYTHON_, ISOLATION_,
 * TOOLCHAIN_ and DOCKER_ errors.
 */
export async function createSandbox({
  language = 'python',
  ...options
}: CreateSandboxOptions = {}): Promise<Sandbox> {
  return await openSandbox(parseRunOptions({ ...options }), language);
}

export type LoadModelOptions = Partial<
  Pick<
    GivenRunOptions,
    | 'backend'
    | 'dtype'
    | 'device'
    | 'requireDevice'
    | 'threads'
    | 'baseUrl'
    | 'provider'
    | 'apiKeyEnv'
    | 'requestTimeout'
    | 'cache'
  >
> & { readonly signal?: AbortSignal };

/**
 * Opens a model: a bundled name (`hefix-mini`), an alias, a hub id, a folder, a GGUF file or `ollama:<name>`; with `backend: 'openai'`, `provider` or
 * `baseUrl` a model of a server. The options are those of `hefix run`. Close it when it is no longer needed.
 *
 * ```ts
 * import { loadModel } from 'hefix';
 *
 * const model = await loadModel('hefix-mini');
 * console.log(model.name, model.languages);
 * await model.close();
 * ```
 *
 * @param name Of the model.
 * @param options Those of `hefix run`, and a signal.
 * @throws HefixError one of the OPTION_, MODEL_, HUB_ and BACKEND_ errors.
 */
export async function loadModel(
  name = 'hefix-mini',
  { signal, ...options }: LoadModelOptions = {},
): Promise<TextModel> {
  return await createModel(parseRunOptions({ model: name, ...options }), {
    warn: sentence => process.emitWarning(sentence),
    ...(signal && { signal }),
  });
}
