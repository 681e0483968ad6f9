import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TextModel } from '../../core/ports.ts';
import { printable } from '../../core/printable.ts';
import { cacheFolder } from '../../files/own-cache.ts';
import { packageFile } from '../../files/package-root.ts';
import { unaliased } from '../../model/aliases.ts';
import { createCachedModel, openReplyStore } from '../../model/cached-model.ts';
import { modelNotLocal } from '../../model/hub/errors.ts';
import { hefixConfigSchema } from '../../model/model-files.ts';
import { HEFIX_CONFIG } from '../../model/model-folder.ts';
import { backendKeyMissing } from '../../model/server/errors.ts';
import { readApiKeys } from '../../model/server/key-ring.ts';
import { providers, type Server, serverAt } from '../../model/server/providers.ts';
import type { ServerModel } from '../../model/server/server-model.ts';
import {
  type Environment,
  keysIn,
  readEnvironment,
  readHubEnvironment,
  readServerEnvironment,
} from '../../options/environment.ts';
import { omittedParameters } from '../../options/tables/model-options.ts';
import type { RunOptions } from '../../options/tables/run-options.ts';
import { backendKeyVariableUnset } from '../errors.ts';
import type { Preparation } from '../run-events.ts';
import { createScriptedBackend } from './scripted-backend.ts';

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
    if (backend === 'openai') return await openServer(options, { warn: tell, trace, rotated, signal });
    if (backend === 'scripted') return await createScriptedBackend(options.model);
    const hub = readHubEnvironment(process.cwd(), process.env);
    return await createLocalModel(options, hub, { ...preparing, warn: tell });
  };
  if (options.cache === false) return await open();
  const folder = options.cache === true ? join(cacheFolder(environment), 'replies') : options.cache;
  const store = await openReplyStore(folder, tell);
  return createCachedModel(await open(), store);
}

/**
 * Cached replies need no server: with `--cache` the model is checked before the first request that is not
 * cached.
 */
async function openServer(
  options: RunOptions,
  { signal, ...receivers }: Receivers & { readonly signal: AbortSignal | undefined },
): Promise<TextModel> {
  const environment = serverEnvironment(options);
  warnOfUnusedKey(serverOf(options), environment, receivers.warn);
  const model = await createServerBackend(options, environment, receivers);
  if (options.cache !== false) return model;
  try {
    await model.open(signal);
    return model;
  } catch (error) {
    await model.close().catch(() => {});
    throw error;
  }
}

/** Downloads the model and builds its graph first, if necessary. */
async function createLocalModel(
  { model: given, dtype, device, requireDevice, threads, noLookup, workers }: RunOptions,
  environment: Environment,
  {
    warn,
    onPreparing = () => {},
    mayFetch = true,
    signal,
  }: Required<Pick<ModelContext, 'warn'>> & Pick<ModelContext, 'onPreparing' | 'mayFetch' | 'signal'>,
): Promise<TextModel> {
  const model = unaliased(given);
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
    if (!mayFetch) throw modelNotLocal(model, null);
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
      if (token !== undefined) warn(runsLocally(given, token));
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
  const config = readFileSync(join(bundledModelFolder(), HEFIX_CONFIG), 'utf8');
  const { languages } = hefixConfigSchema.parse(JSON.parse(config));
  return languages !== undefined && !languages.includes(language);
}

export function bundledModelFolder(): string {
  return packageFile('fixtures/model');
}

/** Who has a token may expect the API. */
function runsLocally(model: string, token: string): string {
  return `${model} is downloaded and runs on this machine. To ask Hugging Face's API with ${token} instead, add --provider huggingface.`;
}

function serverOf({ provider, baseUrl }: RunOptions): Server {
  return baseUrl === undefined ? providers[provider ?? 'openai'] : serverAt(baseUrl);
}

/** A key in `.env` that stays unused, where the server has no other. */
function warnOfUnusedKey({ keyNames, baseUrl }: Server, environment: Environment, warn: Receivers['warn']) {
  if (keyNames.some(name => environment[name])) return;
  const [name] = Object.keys(keysIn(process.cwd(), keyNames));
  if (name === undefined) return;
  warn(`.env sets ${name}, which is not sent to ${baseUrl} unless you trust this folder (hefix trust).`);
}

/** Receivers of messages, as whole sentences. */
interface Receivers {
  readonly warn: (sentence: string) => void;
  readonly trace?: ((sentence: string) => void) | undefined;
  readonly rotated?: ((sentence: string) => void) | undefined;
}

/** Checked before a long command begins. @throws HefixError (`BACKEND_KEY_MISSING`, `BACKEND_KEY_INVALID`) */
export function checkServerKeys(options: RunOptions): void {
  serverKeys(options, serverEnvironment(options));
}

/** The environment, with what `.env` in the current folder may add for the server. */
function serverEnvironment(options: RunOptions): Environment {
  return readServerEnvironment(process.cwd(), process.env, serverOf(options).baseUrl);
}

function serverKeys(options: RunOptions, environment: Environment) {
  const { apiKeyEnv } = options;
  const server = serverOf(options);
  const keys = readApiKeys(environment, apiKeyEnv === undefined ? server.keyNames : [apiKeyEnv]);
  if (keys.length === 0 && apiKeyEnv !== undefined) throw backendKeyVariableUnset();
  if (keys.length === 0 && server.needsKey) throw backendKeyMissing(server.baseUrl, server.keyNames);
  return { server, keys };
}

/**
 * The model of `--backend openai`. Hugging Face uses the hub's model names, so short names work there too.
 * @throws HefixError (`BACKEND_KEY_MISSING`, `BACKEND_KEY_INVALID`)
 */
export async function createServerBackend(
  options: RunOptions,
  environment: Environment,
  { warn, trace = () => {}, rotated = () => {} }: Receivers,
): Promise<ServerModel> {
  const { server, keys } = serverKeys(options, environment);
  const model = options.provider === 'huggingface' ? unaliased(options.model) : options.model;
  const omit = omittedParameters(options.omit);
  const { maxTries, requestTimeout, idleTimeout, maxWait, workers } = options;
  const { createServerModel } = await import('../../model/server/server-model.ts');
  return createServerModel({
    server,
    model,
    keys,
    maxTries,
    requestTimeout,
    idleTimeout,
    maxWait,
    maxConcurrency: options.maxConcurrency ?? Math.max(8, workers),
    omit,
    warn,
    trace,
    rotated,
  });
}
