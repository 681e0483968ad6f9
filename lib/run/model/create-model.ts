import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TextModel } from '../../core/ports.ts';
import { printable } from '../../core/text.ts';
import { cacheFolder } from '../../files/own-cache.ts';
import { packageFile } from '../../files/package.ts';
import { parseJson } from '../../files/untrusted-file.ts';
import { unaliased } from '../../model/aliases.ts';
import { HEFIX_CONFIG, hefixConfigSchema } from '../../model/model-files.ts';
import { providers } from '../../model/server/providers.ts';
import { type Environment, readEnvironment, readHubEnvironment } from '../../options/settings.ts';
import type { RunOptions } from '../../options/tables/run-options.ts';
import type { Preparation } from '../run-events.ts';

/** The name of the model that ships with hefix. */
export const bundledModel = 'hefix-mini';

/** Context for opening a model. */
export interface ModelContext {
  /** Receives warnings as whole sentences. */
  readonly warn?: (sentence: string) => void;
  /** Receives what only `--debug` shows, such as which key is in use. */
  readonly trace?: (sentence: string) => void;
  /** Receives which of several keys a request goes out with, and which are refused. */
  readonly rotated?: ((sentence: string) => void) | undefined;
  /** Reports the progress of downloading and building a model that is not ready yet. */
  readonly onPreparing?: (step: Preparation) => void;
  /** Whether a model of the hub may be downloaded; true if omitted. */
  readonly mayFetch?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * The model of `--backend` and `--model`, with the reply cache of `--cache`. Rejects with the MODEL_ errors
 * of loading, the HUB_ errors of downloading, the BACKEND_KEY_ errors, `BACKEND_MODEL_UNKNOWN`,
 * `CACHE_NOT_WRITABLE`, or the signal's reason if aborted.
 */
export async function createModel(
  options: RunOptions,
  { warn = () => {}, trace, rotated, ...preparing }: ModelContext = {},
): Promise<TextModel> {
  const { signal } = preparing;
  const tell = (sentence: string) => warn(printable(sentence));
  const environment = readEnvironment(process.cwd(), process.env);
  const open = async () => {
    const { backend } = options;
    if (backend === 'openai') {
      const { openServer } = await import('./server-backend.ts');
      return await openServer(options, { warn: tell, trace, rotated, signal });
    }
    if (backend === 'scripted') {
      const { createScriptedBackend } = await import('./scripted-backend.ts');
      return await createScriptedBackend(options.model);
    }
    const hub = readHubEnvironment(process.cwd(), process.env);
    return await createLocalModel(options, hub, { ...preparing, warn: tell });
  };
  if (options.cache === false) return await open();
  const { createCachedModel, openReplyStore } = await import('../../model/cached-model.ts');
  const folder = options.cache === true ? join(cacheFolder(environment), 'replies') : options.cache;
  const store = await openReplyStore(folder, tell);
  return createCachedModel(await open(), store);
}

/** Downloads the model and builds its graph first, if necessary. */
async function createLocalModel(
  { model: requestedModel, dtype, device, requireDevice, threads, noLookup, workers }: RunOptions,
  environment: Environment,
  {
    warn,
    onPreparing = () => {},
    mayFetch = true,
    signal,
  }: Required<Pick<ModelContext, 'warn'>> & Pick<ModelContext, 'onPreparing' | 'mayFetch' | 'signal'>,
): Promise<TextModel> {
  const model = unaliased(requestedModel);
  const computed = {
    signal,
    device,
    threads,
    lookup: !noLookup,
    requests: workers,
    graphs: join(cacheFolder(environment), 'graphs'),
  };
  const fallback = { requireDevice, warn };
  const { openOnDevice } = await import('../../model/onnx/onnx-model.ts');
  // A name that looks like a path is a folder: the loader reports that it is missing, without asking the hub.
  if (/^[./~]/.test(model) && !/\.gguf$/i.test(model) && !existsSync(model)) {
    if (!mayFetch) throw (await import('../../model/hub/errors.ts')).modelNotLocal(model, null);
    return await openOnDevice({ folder: model, ...computed }, fallback);
  }
  if (model === bundledModel)
    return await openOnDevice(
      { name: model, folder: bundledModelFolder(), weightType: dtype, ...computed },
      fallback,
    );
  const { resolveModel } = await import('../../model/hub/resolve-model.ts');
  let isBuilt = false;
  const resolved = await resolveModel(model, {
    bundled: { [bundledModel]: bundledModelFolder() },
    weightType: dtype,
    mayFetch,
    env: environment,
    ...(signal && { signal }),
    onDownload() {
      const token = providers.huggingface.keyNames.find(name => environment[name]);
      if (token !== undefined) warn(runsLocally(requestedModel, token));
    },
    onProgress: progress => onPreparing({ kind: 'fetching', name: model, progress }),
    onBuild(progress) {
      isBuilt = true;
      onPreparing({ kind: 'building', name: model, progress });
    },
    onRefused: exactness => onPreparing({ kind: 'refused', name: model, exactness }),
  });
  const { name, folder, weightType, exactness } = resolved;
  if (isBuilt && exactness) onPreparing({ kind: 'built', name: model, exactness });
  return { ...(await openOnDevice({ name, folder, weightType, ...computed }, fallback)), exactness };
}

/** Whether the model is the bundled one, and is not asked for the language; known without opening it. */
export function isUntrainedIn({ backend, model }: RunOptions, language: string): boolean {
  if (backend !== 'onnx' || unaliased(model) !== bundledModel) return false;
  const languages = formOf(bundledModelFolder())?.languages;
  return languages !== undefined && !languages.includes(language);
}

/**
 * Whether the model writes code, rather than edits of single functions as the bundled one; known without opening it. A
 * model that is not here yet counts as one that does.
 */
export async function writesCode({ backend, model, dtype }: RunOptions): Promise<boolean> {
  if (backend !== 'onnx') return true;
  const name = unaliased(model);
  if (name === bundledModel) return false;
  if (existsSync(name)) return formOf(name)?.answer !== 'edit';
  if (!/^[\w-][\w.-]*\/[\w.-]+$/.test(name)) return true;
  const { findCachedModel } = await import('../../model/hub/pull-model.ts');
  const env = readHubEnvironment(process.cwd(), process.env);
  const pulled = await findCachedModel(name, { env, weightType: dtype }).catch(() => null);
  return pulled === null || formOf(pulled.folder)?.answer !== 'edit';
}

/** What a model's folder says about the answers that it was trained on; null if it says nothing that can be read. */
function formOf(folder: string) {
  const file = join(folder, HEFIX_CONFIG);
  if (!existsSync(file)) return null;
  return hefixConfigSchema.safeParse(parseJson(readFileSync(file, 'utf8'))).data ?? null;
}

export function bundledModelFolder(): string {
  return packageFile('fixtures/model');
}

/** Who has a token may expect the API. */
function runsLocally(model: string, token: string): string {
  return `${model} is downloaded and runs on this machine. To ask Hugging Face's API with ${token} instead, add --provider huggingface.`;
}
