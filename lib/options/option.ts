import { closestMatch } from 'leven';
import { z } from 'zod';
import { optionInvalid, optionUnknown } from './errors.ts';

/**
 * One option: its spelling, check and description. Used by the parser, the checks, `--help` and completion.
 */
export interface Option<Schema extends z.ZodType = z.ZodType> {
  /** Checks the value and sets the default. The message of a failed check says which form is expected. */
  readonly schema: Schema;
  /** `<n>`, or `[folder]` if the value is optional; absent for flags. */
  readonly argument?: string;
  readonly short?: string;
  /** Other long names, without dashes. */
  readonly aliases?: readonly string[];
  /** A word that may follow a flag, and is then its value. */
  readonly word?: string;
  /** Whether it may be given several times; its value then has a line for each. */
  readonly repeats?: true;
  readonly group: OptionGroup;
  readonly about: string;
  /** The default as shown by `--help`, if the schema has none or does not say everything. */
  readonly defaultText?: string;
  /** Whether the short help includes it. */
  readonly isCommon?: true;
  /** Whether it affects a record's content: a run can only be resumed with the same value. */
  readonly decidesResults?: true;
  /**
   * Whether the files of the current folder may set it before `hefix trust`: it then names no address, file or program,
   * and it neither writes, opens nor weakens anything.
   */
  readonly folderMaySet?: true;
}

type OptionGroup = 'Queue' | 'Model' | 'Server' | 'Data' | 'Agent' | 'Sampling' | 'Sandbox' | 'Output';

/** Options as typed, or given from code: not checked yet. */
export type Given = Readonly<Record<string, unknown>>;

/** Options keyed by the library's names: `maxNewTokens`. */
export type OptionTable = Readonly<Record<string, Option>>;

/** A table of options that have something in common, such as their group. */
export function withEach<
  const Shared extends Partial<Option>,
  const Table extends Readonly<Record<string, Omit<Option, keyof Shared>>>,
>(shared: Shared, table: Table): { readonly [Key in keyof Table]: Shared & Table[Key] } {
  const options = Object.entries(table).map(([key, option]) => [key, { ...shared, ...option }]);
  return Object.fromEntries(options);
}

/** The values of a table's options after validation. */
export type OptionValues<Table extends OptionTable> = z.infer<ReturnType<typeof schemaOf<Table>>>;

type Shape<Table extends OptionTable> = { -readonly [Key in keyof Table]: Table[Key]['schema'] };

export function schemaOf<const Table extends OptionTable>(
  table: Table,
): z.ZodObject<Shape<Table>, z.core.$strict> {
  const shape = Object.fromEntries(Object.entries(table).map(([key, { schema }]) => [key, schema]));
  return z.strictObject(shape) as unknown as z.ZodObject<Shape<Table>, z.core.$strict>;
}

/**
 * Validates options and fills in the defaults.
 * @throws HefixError (`OPTION_INVALID`, `OPTION_UNKNOWN`) naming the option, the value and the expected form.
 */
export function parseOptions<const Table extends OptionTable>(
  table: Table,
  given: Given,
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

/** `maxNewTokens` → `--max-new-tokens`, `passAt1` → `--pass-at-1`. */
export function longName(key: string): string {
  return `--${key.replaceAll(/[A-Z]|\d+/g, part => `-${part.toLowerCase()}`)}`;
}

/** All spellings of an option, its own name last: `-d`, `--dataset-path`, `--dataset`. */
export function namesOf(key: string, { short, aliases = [] }: Option): string[] {
  return [...(short === undefined ? [] : [`-${short}`]), ...aliases.map(name => `--${name}`), longName(key)];
}

/** `-d, --dataset-path, --dataset <name>` */
export function usageOf(key: string, option: Option): string {
  return [namesOf(key, option).join(', '), option.argument].filter(Boolean).join(' ');
}

/** The keys of the options that affect a record's content. */
export function resultKeys(table: OptionTable): string[] {
  return Object.keys(table).filter(key => table[key]?.decidesResults);
}

/** The known name that a mistyped one was probably meant to be, if any is similar enough. */
export function closest(name: string, known: readonly string[]): string | undefined {
  // Two letters are far from everything: `-z` was not meant to be `-i`.
  if (name.length < 3) return undefined;
  return closestMatch(name, known, { maxDistance: Math.max(2, Math.floor(name.length / 3)) });
}

/** A table without some of its options. */
export function without<Table extends OptionTable, Name extends keyof Table & string>(
  table: Table,
  names: readonly Name[],
): Omit<Table, Name> {
  const isKept = (name: string) => !names.some(each => each === name);
  return Object.fromEntries(Object.entries(table).filter(([name]) => isKept(name))) as Omit<Table, Name>;
}
