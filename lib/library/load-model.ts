import type { TextModel } from '../core/ports.ts';
import { type GivenRunOptions, parseRunOptions } from '../options/tables/run-options.ts';
import { createModel } from '../run/model/create-model.ts';

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
 * @throws HefixError `OPTION_INVALID`, or one of the MODEL_, HUB_ and BACKEND_ errors.
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
