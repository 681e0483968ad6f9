import { parseEnv } from 'node:util';
import { keyNamesOf, providerKeyNames } from '../model/server/providers.ts';
import { type FolderSettings, isTrusted, readFolderSettings } from '../trust/trusted-folders.ts';
import { optionInvalid } from './errors.ts';
import type { Given } from './option.ts';
import { runOptions } from './tables/run-options.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that `.env` of a folder may set before `hefix trust`. */
export const harmlessVariables: readonly string[] = ['WORKERS'];

/**
 * The environment, with `.env` in a folder as fallback: all of it if the folder is trusted, and only harmless variables
 * otherwise. The process's own environment is unchanged, so that child processes inherit no key from the file.
 */
export function readEnvironment(folder: string, environment: Environment): Environment {
  const settings = readFolderSettings(folder);
  const variables = variablesIn(settings);
  if (isTrusted(folder, settings, environment)) return { ...variables, ...environment };
  const harmless = Object.entries(variables).filter(([name]) => harmlessVariables.includes(name));
  return { ...Object.fromEntries(harmless), ...environment };
}

/**
 * The environment for a server: a provider's keys in `.env` count without trust at the provider's own address, the only
 * one that they may be sent to. Keys in the environment come first, whichever variable holds them.
 */
export function readServerEnvironment(
  folder: string,
  environment: Environment,
  baseUrl: string,
): Environment {
  const read = readEnvironment(folder, environment);
  const names = keyNamesOf(baseUrl);
  if (names.some(name => isSet(read[name]))) return read;
  return { ...read, ...keysIn(folder, names) };
}

/** The environment for the hub: a token in `.env` counts without trust at the hub's own address. */
export function readHubEnvironment(folder: string, environment: Environment): Environment {
  const read = readEnvironment(folder, environment);
  if (isSet(read.HF_ENDPOINT) || isSet(read.HUGGING_FACE_HUB_TOKEN)) return read;
  return { ...keysIn(folder, ['HF_TOKEN']), ...read };
}

/** Those of some keys that `.env` of a folder sets. */
export function keysIn(folder: string, names: readonly string[]): Environment {
  const variables = Object.entries(variablesIn(readFolderSettings(folder)));
  return Object.fromEntries(variables.filter(([name, value]) => names.includes(name) && isSet(value)));
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

/**
 * The variables in `.env` that hefix would use if the folder were trusted, and that the environment does not set itself.
 * Providers' keys are not among them: they count at the providers' own addresses.
 */
export function ignoredVariables(folder: string, environment: Environment): string[] {
  const settings = readFolderSettings(folder);
  if (isTrusted(folder, settings, environment)) return [];
  const names = refusedVariables(settings).filter(name => environment[name] === undefined);
  return names.filter(name => !providerKeyNames.includes(name));
}

/** The variables of hefix in `.env` that are not harmless. */
export function refusedVariables(settings: FolderSettings): string[] {
  const names = Object.keys(variablesIn(settings));
  return names.filter(name => own.test(name) && !harmlessVariables.includes(name));
}

/** The names that hefix reads; `--api-key-env` may name others. */
const own =
  /^(?:HEFIX_\w+|HF_\w+|HUGGING_?FACE_\w+|TRANSFORMERS_OFFLINE|(?:OPENAI|TOGETHER|OLLAMA)_API_KEY|(?:SANDBOX_)?DOCKER_\w+|XDG_CACHE_HOME|(?:https?|no)_proxy)$/i;

function variablesIn({ variables }: FolderSettings): Environment {
  return variables === null ? {} : parseEnv(variables.text);
}

/**
 * Options with the variable WORKERS, from the environment or from `.env` in the current folder, if
 * `--workers` is not given.
 * @throws HefixError naming WORKERS if it is not a valid number.
 */
export function withWorkers(given: Given, environment: Environment): Given {
  const { WORKERS: workers } = readEnvironment(process.cwd(), environment);
  if (given.workers !== undefined || workers === undefined || workers === '') return given;
  const parsed = runOptions.workers.schema.safeParse(workers);
  if (!parsed.success) {
    throw optionInvalid('WORKERS', workers, parsed.error.issues[0]?.message ?? 'another value');
  }
  return { ...given, workers };
}
