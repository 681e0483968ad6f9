import type { TextModel } from '../../core/ports.ts';
import { unaliased } from '../../model/aliases.ts';
import { backendKeyMissing } from '../../model/server/errors.ts';
import { readApiKeys } from '../../model/server/key-ring.ts';
import { providers, type Server, serverAt } from '../../model/server/providers.ts';
import type { ServerModel } from '../../model/server/server-model.ts';
import { type Environment, keysIn, readServerEnvironment } from '../../options/settings.ts';
import { omittedParameters } from '../../options/tables/model-options.ts';
import type { RunOptions } from '../../options/tables/run-options.ts';
import { backendKeyVariableUnset } from '../errors.ts';

/**
 * Cached replies need no server: with `--cache` the model is checked before the first request that is not
 * cached.
 */
export async function openServer(
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
