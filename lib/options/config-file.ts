import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configInvalid } from '../core/errors.ts';
import { closest } from './closest.ts';
import { type OptionTable, schemaOf } from './option.ts';
import { runOptions } from './run-options.ts';

/** Defaults by option name: `{ "model": "qwen2.5-coder-0.5b", "max-new-tokens": 256 }`. */
type Configuration = Readonly<Record<string, unknown>>;

/**
 * Fills in defaults from a folder's `hefix.config.json`, or else from the key `hefix` in its package.json,
 * for options that were not given. Defaults of options that the command does not have are ignored.
 * @throws HefixError (`CONFIG_INVALID`) naming the file, if it is not an object, or has an unknown name or a
 * wrong value.
 */
export async function withConfiguration(
  given: Readonly<Record<string, unknown>>,
  table: OptionTable,
  folder: string,
): Promise<Readonly<Record<string, unknown>>> {
  const found = await readConfiguration(folder);
  if (found === null) return given;
  const known: OptionTable = { ...runOptions, ...table };
  const defaults: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(found.configuration)) {
    const key = name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (!Object.hasOwn(known, key)) {
      const near = closest(key, Object.keys(known));
      throw configInvalid(found.path, `sets an unknown option, ${JSON.stringify(name)}`, near);
    }
    if (!Object.hasOwn(table, key)) continue;
    const checked = schemaOf(table).shape[key]?.safeParse(value);
    if (!checked?.success) {
      const expected = checked?.error.issues[0]?.message ?? 'another value';
      throw configInvalid(found.path, `sets ${name} to ${JSON.stringify(value)}, expected ${expected}`);
    }
    defaults[key] = value;
  }
  return { ...defaults, ...given };
}

async function readConfiguration(
  folder: string,
): Promise<{ readonly path: string; readonly configuration: Configuration } | null> {
  const own = await readJson(join(folder, 'hefix.config.json'));
  if (own !== undefined) return checked(join(folder, 'hefix.config.json'), own);
  const path = join(folder, 'package.json');
  const manifest = await readJson(path).catch(() => undefined);
  const value = Object(manifest).hefix as unknown;
  return value === undefined ? null : checked(path, value);
}

function checked(path: string, value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw configInvalid(path, 'does not hold an object with options');
  }
  return { path, configuration: value as Configuration };
}

/** Undefined if there is no such file. */
async function readJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw configInvalid(path, `is not valid JSON: ${Object(cause).message}`);
  }
}
