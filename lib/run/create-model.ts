import { join } from 'node:path';
import { cacheFolder } from '../model/cache/cache-folder.ts';
import { createCachedModel } from '../model/cache/cached-model.ts';
import { openReplyStore } from '../model/cache/reply-store.ts';
import { createOnnxModel } from '../model/onnx-model.ts';
import { packageFile } from '../package-root.ts';
import type { TextModel } from '../ports.ts';
import { readEnvironment } from './environment.ts';
import type { RunOptions } from './options.ts';
import { createScriptedBackend } from './scripted-backend.ts';
import { createServerBackend } from './server-backend.ts';
import { printable } from './terminal.ts';

/** The name of the model that ships with hefix. */
export const bundledModel = 'hefix-mini';

/**
 * The model that `--backend` and `--model` name, with the cache that `--cache` asks for. `warn` is told in
 * whole sentences what people should know.
 * Rejects with the MODEL_ errors of loading, the BACKEND_KEY_ errors or `CACHE_NOT_WRITABLE`.
 */
export async function createModel(
  options: RunOptions,
  warn: (sentence: string) => void = () => {},
): Promise<TextModel> {
  const tell = (sentence: string) => warn(printable(sentence));
  const environment = readEnvironment(process.cwd(), process.env);
  const open = async () =>
    options.backend === 'openai'
      ? createServerBackend(options, environment, tell)
      : await createLocalModel(options);
  if (options.cache === false) return await open();
  const folder = options.cache === true ? join(cacheFolder(environment), 'replies') : options.cache;
  const store = await openReplyStore(folder, tell);
  return createCachedModel(await open(), store);
}

async function createLocalModel({ backend, model }: RunOptions): Promise<TextModel> {
  if (backend === 'scripted') return await createScriptedBackend(model);
  if (model === bundledModel)
    return await createOnnxModel({ folder: bundledModelFolder(), name: bundledModel });
  return await createOnnxModel({ folder: model });
}

export function bundledModelFolder(): string {
  return packageFile('fixtures/model');
}
