import { z } from 'zod';
import { optionInvalid, optionUnknown } from '../core/errors.ts';
import { closest } from './closest.ts';

/** One option: how it is written, checked and explained. The parser, the checks, `--help` and completion read it. */
export interface Option<Schema extends z.ZodType = z.ZodType> {
  /** Its check and default; the message of a failed check is the form that was expected. */
  readonly schema: Schema;
  /** `<n>`, or `[folder]` where the value may be left out; absent if it takes no value. */
  readonly argument?: string;
  readonly short?: string;
  /** Other long names, without dashes. */
  readonly aliases?: readonly string[];
  readonly group: OptionGroup;
  readonly about: string;
  /** What `--help` calls the default where the schema has none, or does not tell all. */
  readonly defaultText?: string;
  /** It stands in the short help. */
  readonly isCommon?: true;
  /** It decides what a record holds: a run is resumed only with the same value. */
  readonly decidesResults?: true;
}

export type OptionGroup = 'Model' | 'Server' | 'Data' | 'Agent' | 'Sampling' | 'Sandbox' | 'Output';

/** Options by the names that the library has for them: `maxNewTokens`. */
export type OptionTable = Readonly<Record<string, Option>>;

/** The values that a table's options have once they are checked. */
export type OptionValues<Table extends OptionTable> = z.infer<ReturnType<typeof schemaOf<Table>>>;

type Shape<Table extends OptionTable> = { -readonly [Key in keyof Table]: Table[Key]['schema'] };

export function schemaOf<const Table extends OptionTable>(
  table: Table,
): z.ZodObject<Shape<Table>, z.core.$strict> {
  const shape = Object.fromEntries(Object.entries(table).map(([key, { schema }]) => [key, schema]));
  return z.strictObject(shape) as unknown as z.ZodObject<Shape<Table>, z.core.$strict>;
}

/**
 * Checks options and fills in the defaults.
 * @throws HefixError (`OPTION_INVALID`, `OPTION_UNKNOWN`) naming the option, the value and the expected form.
 */
export function parseOptions<const Table extends OptionTable>(
  table: Table,
  given: Readonly<Record<string, unknown>>,
): OptionValues<Table> {
  const parsed = schemaOf(table).safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    throw optionUnknown(longName(key), closest(longName(key), Object.keys(table).map(longName)));
  }
  const key = String(issue?.path[0]);
  throw optionInvalid(longName(key), given[key], issue?.message ?? 'another value');
}

/** `maxNewTokens` → `--max-new-tokens`. */
export function longName(key: string): string {
  return `--${key.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}

/** All ways to write an option, its own name last: `-d`, `--dataset-path`, `--dataset`. */
export function namesOf(key: string, { short, aliases = [] }: Option): string[] {
  return [...(short === undefined ? [] : [`-${short}`]), ...aliases.map(name => `--${name}`), longName(key)];
}

/** `-d, --dataset-path, --dataset <name>` */
export function usageOf(key: string, option: Option): string {
  return [namesOf(key, option).join(', '), option.argument].filter(Boolean).join(' ');
}

/** The keys of those that decide what a record holds. */
export function resultKeys(table: OptionTable): string[] {
  return Object.keys(table).filter(key => table[key]?.decidesResults);
}
