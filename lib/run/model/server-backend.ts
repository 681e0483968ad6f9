import { unaliased } from '../../model/aliases.ts';
import { readApiKeys } from '../../model/server/api-keys.ts';
import { backendKeyMissing } from '../../model/server/errors.ts';
import { providers, serverAt } from '../../model/server/providers.ts';
import { createServerModel, type ServerModel } from '../../model/server/server-model.ts';
import type { Environment } from '../../options/environment.ts';
import type { RunOptions } from '../../options/tables/run-options.ts';
import { omittedParameters } from '../../options/tables/server-options.ts';
import { backendKeyVariableUnset } from '../errors.ts';

/** Receivers of messages, as whole sentences. */
export interface Receivers {
  readonly warn: (sentence: string) => void;
  readonly trace?: ((sentence: string) => void) | undefined;
  readonly rotated?: ((sentence: string) => void) | undefined;
}

/**
 * The model of `--backend openai`. Hugging Face uses the hub's model names, so short names work there too.
 * @throws HefixError (`BACKEND_KEY_MISSING`, `BACKEND_KEY_INVALID`)
 */
export function createServerBackend(
  options: RunOptions,
  environment: Environment,
  { warn, trace = () => {}, rotated = () => {} }: Receivers,
): ServerModel {
  const { provider, baseUrl, apiKeyEnv } = options;
  const server = baseUrl === undefined ? providers[provider ?? 'openai'] : serverAt(baseUrl);
  const keys = readApiKeys(environment, apiKeyEnv === undefined ? server.keyNames : [apiKeyEnv]);
  if (keys.length === 0 && apiKeyEnv !== undefined) throw backendKeyVariableUnset();
  if (keys.length === 0 && server.needsKey) throw backendKeyMissing(server.baseUrl, server.keyNames);
  const model = provider === 'huggingface' ? unaliased(options.model) : options.model;
  const omit = omittedParameters(options.omit);
  const { maxTries, requestTimeout, idleTimeout, maxWait, workers } = options;
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
