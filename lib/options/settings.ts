import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parseJson, readNamed } from '../files/untrusted-file.ts';
import { keyNamesOf, providerKeyNames } from '../model/server/providers.ts';
import {
  closest,
  configInvalid,
  folderNotTrusted,
  type Given,
  longName,
  type OptionTable,
  optionInvalid,
  schemaOf,
} from './option.ts';
import { runOptions } from './tables/run-options.ts';
import {
  type FolderSettings,
  isTrusted,
  readFolderSettings,
  userConfigPath,
} from './trust/trusted-folders.ts';

/**
 * Fills in defaults for options that were not given: from the folder's `hefix.config.json`, or else from the key `hefix`
 * of its package.json, and then from the user's own configuration. The folder sets harmless options only, unless it is
 * trusted. Defaults of options that the command does not have are ignored.
 * @throws HefixError (`CONFIG_INVALID`) naming the file, if it is not an object, or has an unknown name or a
 * wrong value, or the folder's is a link; (`FOLDER_NOT_TRUSTED`) naming the file and the option
 */
export async function withConfiguration(
  input: Given,
  table: OptionTable,
  folder: string,
  environment: Environment,
): Promise<Given> {
  const settings = readFolderSettings(folder);
  checkNoLink(join(folder, 'hefix.config.json'));
  const ofFolder = settings.configuration && parsed(settings.configuration);
  const ofUser = userConfiguration(environment);
  const values = {
    ...(ofUser && (await defaultsIn(ofUser, table))),
    ...(ofFolder && (await defaultsIn(ofFolder, table))),
  };
  if (ofFolder !== null && !isTrusted(folder, settings, environment)) {
    const refused = refusedOptions(ofFolder.values, table).find(key => input[key] === undefined);
    if (refused !== undefined) throw folderNotTrusted(ofFolder.path, longName(refused));
  }
  return { ...values, ...input };
}

/** A link would set nothing without a word. @throws HefixError (`CONFIG_INVALID`) */
function checkNoLink(path: string): void {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink) throw configInvalid(path, 'is a link, which hefix does not follow in a folder');
}

/** @throws HefixError (`CONFIG_INVALID`) */
async function defaultsIn({ path, values }: Configuration, table: OptionTable): Promise<Given> {
  const defaults: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const key = keyOf(name);
    if (!Object.hasOwn(table, key)) {
      await checkKnown(path, name);
      continue;
    }
    const checked = schemaOf(table).shape[key]?.safeParse(value);
    if (!checked?.success) {
      const expected = checked?.error.issues[0]?.message ?? 'another value';
      throw configInvalid(path, `sets ${name} to ${JSON.stringify(value)}, expected ${expected}`);
    }
    defaults[key] = value;
  }
  return defaults;
}

/** Another command may have an option. */
async function checkKnown(path: string, name: string): Promise<void> {
  const { commandTables } = await import('./command-tables.ts');
  const names = new Set(Object.values(await commandTables()).flatMap(Object.keys));
  const key = keyOf(name);
  if (names.has(key)) return;
  throw configInvalid(path, `sets an unknown option, ${JSON.stringify(name)}`, closest(key, [...names]));
}

function userConfiguration(environment: Environment): Configuration | null {
  const path = userConfigPath(environment);
  const bytes = readNamed(path);
  return bytes === null ? null : parsed({ path, text: bytes.toString('utf8') });
}

/** Defaults by option name: `{ "model": "qwen2.5-coder-0.5b", "max-new-tokens": 256 }`. */
interface Configuration {
  readonly path: string;
  readonly values: Given;
}

/** @throws HefixError (`CONFIG_INVALID`) */
export function parsed({ path, text }: { readonly path: string; readonly text: string }): Configuration {
  const values = parseJson(text);
  if (values === undefined) throw configInvalid(path, `is not valid JSON: ${complaint(text)}`);
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw configInvalid(path, 'does not hold an object with options');
  }
  return { path, values: values as Given };
}

function complaint(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return String(Object(error).message);
  }
}

/** The keys of a table's options that the values of a folder set without being harmless. */
export function refusedOptions(values: Given, table: OptionTable): string[] {
  const keys = Object.keys(values).map(keyOf);
  return keys.filter(key => Object.hasOwn(table, key) && table[key]?.folderMaySet !== true);
}

/** `max-new-tokens` → `maxNewTokens`. */
function keyOf(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that `.env` of a folder may set before `hefix trust`, besides keys for the providers' addresses. */
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
 * Sets those variables of a trusted folder's `.env` that libraries and every part of hefix read from the process's own
 * environment. None of them is a key.
 */
export function applyVariables(folder: string, environment: NodeJS.ProcessEnv): void {
  const settings = readFolderSettings(folder);
  if (!isTrusted(folder, settings, environment)) return;
  for (const [name, value] of Object.entries(variablesIn(settings))) {
    if (applied.test(name)) environment[name] ??= value;
  }
}

const applied =
  /^(?:HEFIX_CACHE|XDG_CACHE_HOME|HF_HOME|HF_ENDPOINT|HF_HUB_(?:CACHE|OFFLINE)|HUGGINGFACE_HUB_CACHE|TRANSFORMERS_OFFLINE|OLLAMA_MODELS|VIRTUAL_ENV|DOCKER_(?:BIN|HOST|CONTEXT|CONFIG|CERT_PATH|TLS_VERIFY)|(?:https?|no)_proxy)$/i;

/** Sentences about the variables in `.env` that hefix reads and that do not count. */
export function variableWarnings(folder: string, environment: Environment): string[] {
  const settings = readFolderSettings(folder);
  const isUnset = (name: string) => environment[name] === undefined;
  const trusted = isTrusted(folder, settings, environment);
  const refused = trusted ? [] : refusedVariables(settings).filter(isUnset);
  // Providers' keys count at the providers' own addresses; elsewhere, what opens a model warns.
  const untold = refused.filter(name => !providerKeyNames.includes(name));
  const outside = Object.keys(variablesIn(settings)).filter(name => outsideOnly.test(name) && isUnset(name));
  const sentence = (names: readonly string[], where: string) =>
    names.length === 0
      ? []
      : [`.env sets ${names.join(', ')}, which ${names.length === 1 ? 'counts' : 'count'} only ${where}.`];
  return [
    ...sentence(untold, 'once you trust this folder (hefix trust)'),
    ...sentence(outside, 'in the environment'),
  ];
}

/** The variables of hefix in `.env` that count once the folder is trusted. */
export function refusedVariables(settings: FolderSettings): string[] {
  return Object.keys(variablesIn(settings)).filter(name => afterTrust.test(name));
}

/** What `.env` of a trusted folder may set; `--api-key-env` may name others. */
const afterTrust =
  /^(?:HEFIX_\w+|HF_\w+|HUGGING_?FACE_\w+|TRANSFORMERS_OFFLINE|(?:OPENAI|TOGETHER|OLLAMA)_API_KEY|OLLAMA_MODELS|(?:SANDBOX_)?DOCKER_\w+|XDG_CACHE_HOME|VIRTUAL_ENV|(?:https?|no)_proxy)$/i;

/** What is read before `.env` is, or by libraries that take keys from the process's own environment. */
const outsideOnly =
  /^(?:AWS_\w+|OTEL_\w+|ORT_\w+|XDG_(?:CONFIG|STATE)_HOME|NO_COLOR|FORCE_COLOR|NODE_EXTRA_CA_CERTS)$/;

/** When a variable in `.env` counts. */
export function whenItCounts(name: string): string {
  if (harmlessVariables.includes(name)) return 'always';
  if (providerKeyNames.includes(name)) return 'at the provider; elsewhere after hefix trust';
  return afterTrust.test(name) ? 'after hefix trust' : 'never';
}

function variablesIn({ variables }: FolderSettings): Environment {
  return variables === null ? {} : parseEnv(variables.text);
}

/**
 * Options with the variable WORKERS, from the environment or from `.env` in the current folder, if
 * `--workers` is not given.
 * @throws HefixError naming WORKERS if it is not a valid number.
 */
export function withWorkers(input: Given, environment: Environment): Given {
  const { WORKERS: workers } = readEnvironment(process.cwd(), environment);
  if (input.workers !== undefined || workers === undefined || workers === '') return input;
  const parsed = runOptions.workers.schema.safeParse(workers);
  if (!parsed.success) {
    throw optionInvalid('WORKERS', workers, parsed.error.issues[0]?.message ?? 'another value');
  }
  return { ...input, workers };
}
