import { createHash } from 'node:crypto';
import { unlessAborted } from '../core/async.ts';
import { HefixError } from '../core/errors.ts';
import type { ExecuteRequest, Execution, Sandbox } from '../core/ports.ts';
import type { Language } from '../core/task.ts';
import { extras } from '../extras.ts';
import { languageNotInSandbox, sandboxClosed } from './errors.ts';
import type { SandboxOptions } from './process/execution.ts';
import { unrun } from './process/execution.ts';

/** How to start the sandbox of each language that can be judged. */
export type SandboxStarters = Readonly<Partial<Record<Language, () => Promise<Sandbox>>>>;

/** Processes of this system, isolated as far as it allows. The code of a language is loaded when it starts. */
export function processStarters(options: SandboxOptions): SandboxStarters {
  const others = extras.flatMap(({ languages = {} }) => Object.entries(languages));
  return {
    async python() {
      const { createPythonSandbox } = await import('./python/host/python-sandbox.ts');
      return await createPythonSandbox(options);
    },
    async js() {
      const { createJavaScriptSandbox } = await import('./javascript/host/javascript-sandbox.ts');
      return await createJavaScriptSandbox(options);
    },
    ...Object.fromEntries(others.map(([language, { start }]) => [language, () => start(options)])),
  };
}

/**
 * One sandbox for all languages: that of `language` is started now, and says how well it isolates, the others when
 * they are first asked for. Rejects with the HefixErrors of the language's sandbox, LANGUAGE_UNSUPPORTED, or the signal's
 * reason.
 */
export async function createSandbox(
  starters: SandboxStarters,
  language: Language,
  signal?: AbortSignal,
): Promise<Sandbox> {
  const opened = new Map<Language, Promise<Sandbox>>();
  const starting = new Set<Promise<Sandbox>>();
  const started = new Set<Sandbox>();
  let closed = false;

  const sandboxFor = (wanted: Language): Promise<Sandbox> => {
    const earlier = opened.get(wanted);
    if (earlier) return earlier;
    const start = starters[wanted];
    if (!start) throw languageNotInSandbox(wanted, 'chosen');
    if (closed) throw sandboxClosed();
    const opening = start();
    opened.set(wanted, opening);
    starting.add(opening);
    opening
      .then(
        sandbox => started.add(sandbox),
        // A failed start may be put right and tried again.
        () => opened.delete(wanted),
      )
      .finally(() => starting.delete(opening));
    return opening;
  };

  const close = async (): Promise<void> => {
    closed = true;
    // Compilers may take a minute to make a toolchain ready; at Ctrl-C they end with the process.
    for (const each of starting) each.then(sandbox => sandbox.close()).catch(() => {});
    await Promise.all([...started].map(sandbox => sandbox.close()));
  };
  const first = unlessAborted(sandboxFor(language), signal);
  const {
    isolation,
    warning = null,
    runtime,
  } = await first.catch(async error => {
    await close();
    throw error;
  });
  const execute: Sandbox['execute'] = async (request, signal) =>
    (await unlessAborted(sandboxFor(request.language), signal)).execute(request, signal);
  return {
    isolation,
    warning,
    runtime,
    checkSyntax: async (wanted, ...parameters) =>
      (await sandboxFor(wanted)).checkSyntax(wanted, ...parameters),
    execute: withReference(execute, { isolation }),
    close,
  };
}

/** Errors that a candidate may provoke, and that invalid tests or a broken sandbox cause too. */
const ambiguous = ['TESTS_INVALID', 'SANDBOX_FAILED', 'TOOLCHAIN_FAILED'];

/**
 * Decides whose fault an error is: a candidate must not leave the statistics by provoking one. If the reference is
 * judged by the same tests, the candidate is judged again, and a second error is a verdict against it. Without a
 * reference, or if that ends in an error too, the error stays one. An answer that is not plain data is the task's if the
 * reference gives one too: all its candidates that do so are judged in one process.
 */
export function withReference(
  execute: Sandbox['execute'],
  { isolation }: Pick<Sandbox, 'isolation'>,
): Sandbox['execute'] {
  const judged = new Map<string, Promise<Execution>>();
  const judgeOnce = (
    request: ExecuteRequest,
    candidate: string,
    signal?: AbortSignal,
  ): Promise<Execution> => {
    const key = keyOf(request, candidate);
    const earlier = judged.get(key);
    if (earlier) return earlier;
    const execution = execute({ ...request, candidate }, signal);
    judged.set(key, execution);
    execution.catch(() => judged.delete(key));
    return execution;
  };
  return async (request, signal) => {
    const { reference } = request;
    const start = performance.now();
    try {
      const execution = await execute(request, signal);
      if (reference === undefined || execution.judge === 'isolated' || !isNotPlain(execution))
        return execution;
      // If the task's own solution answers so too, that is what the task asks for.
      const isTask = isNotPlain(await judgeOnce(request, reference, signal));
      return isTask ? await execute({ ...request, judge: 'isolated' }, signal) : execution;
    } catch (error) {
      if (reference === undefined || !isAmbiguous(error)) throw error;
      await judgeOnce(request, reference, signal).catch(fault => {
        throw isAmbiguous(fault) ? error : fault;
      });
    }
    try {
      return await execute(request, signal);
    } catch (error) {
      if (!isAmbiguous(error)) throw error;
      return refused(error, (performance.now() - start) / 1000, isolation);
    }
  };
}

function isNotPlain({ verdict }: Execution): boolean {
  return verdict.kind === 'not-serializable';
}

function isAmbiguous(error: unknown): error is HefixError {
  return error instanceof HefixError && ambiguous.includes(error.code);
}

function refused({ message }: HefixError, seconds: number, isolation: Execution['isolation']): Execution {
  const said = `The tests can judge the reference solution but not this candidate: ${message}`;
  return { ...unrun({ kind: 'failed', message: said }, isolation), judge: 'proven', seconds };
}

function keyOf(
  { language, tests, entryPoint, declaration, seed, judge }: ExecuteRequest,
  candidate: string,
): string {
  const parts = [language, tests, entryPoint, declaration ?? '', seed ?? 0, judge ?? '', candidate];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
