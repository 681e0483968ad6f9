import { parseJson } from '../files/parse-json.ts';
import { configInvalid } from './errors.ts';
import type { OptionTable } from './option.ts';

export type Values = Readonly<Record<string, unknown>>;

/** Defaults by option name: `{ "model": "qwen2.5-coder-0.5b", "max-new-tokens": 256 }`. */
export interface Configuration {
  readonly path: string;
  readonly values: Values;
}

/** @throws HefixError (`CONFIG_INVALID`) */
export function parsed({ path, text }: { readonly path: string; readonly text: string }): Configuration {
  const values = parseJson(text);
  if (values === undefined) throw configInvalid(path, `is not valid JSON: ${complaint(text)}`);
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw configInvalid(path, 'does not hold an object with options');
  }
  return { path, values: values as Values };
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
export function refusedOptions(values: Values, table: OptionTable): string[] {
  const keys = Object.keys(values).map(keyOf);
  return keys.filter(key => Object.hasOwn(table, key) && table[key]?.folderMaySet !== true);
}

/** `max-new-tokens` → `maxNewTokens`. */
export function keyOf(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
