import { backendKeyMissing, backendKeyVariableUnset } from '../core/errors.ts';
import type { TextModel } from '../core/ports.ts';
import { unaliased } from '../model/aliases.ts';
import { readApiKeys } from '../model/server/api-keys.ts';
import { providers, serverAt } from '../model/server/providers.ts';
import { createServerModel } from '../model/server/server-model.ts';
import type { Environment } from '../options/environment.ts';
import type { RunOptions } from '../options/run-options.ts';
import { omittedParameters } from '../options/server-options.ts';

/**
 * The model of `--backend openai`. Hugging Face names models as its hub does, so that the short names hold there too.
 * @throws HefixError (`BACKEND_KEY_MISSING`, `BACKEND_KEY_INVALID`)
 */
export function createServerBackend(
  options: RunOptions,
  environment: Environment,
  warn: (sentence: string) => void,
): TextModel {
  const { provider, baseUrl, apiKeyEnv, maxTries, requestTimeout, maxConcurrency } = options;
  const server = baseUrl === undefined ? providers[provider ?? 'openai'] : serverAt(baseUrl);
  const keys = readApiKeys(environment, apiKeyEnv === undefined ? server.keyNames : [apiKeyEnv]);
  if (keys.length === 0 && apiKeyEnv !== undefined) throw backendKeyVariableUnset();
  if (keys.length === 0 && server.needsKey) throw backendKeyMissing(server.baseUrl, server.keyNames);
  const model = provider === 'huggingface' ? unaliased(options.model) : options.model;
  const omit = omittedParameters(options.omit);
  return createServerModel({ server, model, keys, maxTries, requestTimeout, maxConcurrency, omit, warn });
}
