import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../files/regular-file.ts';
import { readNamed } from '../files/untrusted-file.ts';
import type { Environment } from './environment.ts';
import {
  closest,
  configInvalid,
  folderNotTrusted,
  type Given,
  longName,
  type OptionTable,
  schemaOf,
} from './option.ts';
import { isTrusted, readFolderSettings, userConfigPath } from './trust/trusted-folders.ts';

/**
 * Fills in defaults for options that were not given: from the folder's `hefix.config.json`, or else from the key `hefix`
 * of its package.json, and then from the user's own configuration. The folder sets harmless options only, unless it is
 * trusted. Defaults of options that the command does not have are ignored.
 * @throws HefixError (`CONFIG_INVALID`) naming the file, if it is not an object, or has an unknown name or a
 * wrong value, or the folder's is a link; (`FOLDER_NOT_TRUSTED`) naming the file and the option
 */
export async function withConfiguration(
  given: Given,
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
    const refused = refusedOptions(ofFolder.values, table).find(key => given[key] === undefined);
    if (refused !== undefined) throw folderNotTrusted(ofFolder.path, longName(refused));
  }
  return { ...values, ...given };
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
  const known = new Set(Object.values(await commandTables()).flatMap(Object.keys));
  const key = keyOf(name);
  if (known.has(key)) return;
  throw configInvalid(path, `sets an unknown option, ${JSON.stringify(name)}`, closest(key, [...known]));
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
