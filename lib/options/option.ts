import { closestMatch } from 'leven';
import { z } from 'zod';
import { didYouMean, HefixError, SEE_HELP } from '../core/errors.ts';

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
  input: Given,
): OptionValues<Table> {
  const parsed = schemaOf(table).safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    throw optionUnknown(longName(key), closest(longName(key), Object.keys(table).map(longName)));
  }
  const key = String(issue?.path[0]);
  throw optionInvalid(longName(key), input[key], issue?.message ?? 'another value');
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
export function closest(name: string, names: readonly string[]): string | undefined {
  // Two letters are far from everything: `-z` was not meant to be `-i`.
  if (name.length < 3) return undefined;
  return closestMatch(name, names, { maxDistance: Math.max(2, Math.floor(name.length / 3)) });
}

/** A table without some of its options. */
export function without<Table extends OptionTable, Name extends keyof Table & string>(
  table: Table,
  names: readonly Name[],
): Omit<Table, Name> {
  const isKept = (name: string) => !names.some(each => each === name);
  return Object.fromEntries(Object.entries(table).filter(([name]) => isKept(name))) as Omit<Table, Name>;
}

/**
 * Checks of single options, which come as text from the command line or typed from code. Each check's message
 * is the expected form, for «--iters is "abc", expected …».
 */

export function text(expected: string) {
  return z.string({ error: expected }).refine(value => value.trim() !== '', { error: expected });
}

export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  const [only, ...others] = values;
  const expected = others.length === 0 ? `"${only}"` : `one of ${values.join(', ')}`;
  return z.enum(values, { error: expected });
}

export function wholeNumber(min: number, max: number) {
  const expected = `a whole number from ${min} to ${max}`;
  return number(expected, value => Number.isSafeInteger(value) && value >= min && value <= max);
}

export function number(expected: string, holds: (value: number) => boolean) {
  const checked = z.custom<number>(value => typeof value === 'number' && holds(value), { error: expected });
  return z.preprocess(value => (typeof value === 'string' ? decimal(value) : value), checked);
}

/**
 * The number that a text spells in decimal, otherwise the text itself; "", " 3", "0x10" and "1e3" are not
 * decimals.
 */
function decimal(value: string): number | string {
  return /^[+-]?(\d+(?:\.\d*)?|\.\d+)$/.test(value) ? Number(value) : value;
}

/** `2/8`: the second of eight parts of the tasks. */
export function shard() {
  const expected = 'i/n, such as 1/4 for the first of four parts';
  const holds = (value: string) => {
    const [index, count] = partsOf(value);
    return /^\d+\/\d+$/.test(value) && index >= 1 && index <= count && count <= 10_000;
  };
  return z.string({ error: expected }).refine(holds, { error: expected });
}

/** The 1-based index of a part, and the number of parts. */
export function partsOf(shard: string): readonly [number, number] {
  const [index, count] = shard.split('/').map(Number);
  return [index ?? Number.NaN, count ?? Number.NaN];
}

export function flag() {
  return z.boolean({ error: 'no value' }).default(false);
}

export function optionInvalid(option: string, value: unknown, expected: string): HefixError {
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  const problem = value === true ? 'was given' : `is ${shown}`;
  return new HefixError('OPTION_INVALID', `${option} ${problem}, expected ${expected}.`, SEE_HELP);
}

/** Two options, or an option and another option's value, that exclude each other. */
export function optionConflict(option: string, other: string, hint = 'Leave one of them out.'): HefixError {
  return new HefixError('OPTION_INVALID', `${option} and ${other} cannot be combined.`, hint);
}

/** An option that requires another. */
export function optionNeeds(option: string, other: string): HefixError {
  return new HefixError('OPTION_INVALID', `${option} requires ${other}.`, SEE_HELP);
}

export function optionRequired(option: string, command: string): HefixError {
  return new HefixError('OPTION_REQUIRED', `hefix ${command} needs ${option}.`, SEE_HELP);
}

/** `nearest` is a known option, or a sentence about the command that has it. */
export function optionUnknown(option: string, nearest: string | undefined): HefixError {
  return new HefixError('OPTION_UNKNOWN', `There is no option ${option}.`, didYouMean(nearest));
}

export function configInvalid(path: string, problem: string, nearest?: string): HefixError {
  const hint = nearest === undefined ? 'See hefix --help --all for the options.' : `Did you mean ${nearest}?`;
  return new HefixError('CONFIG_INVALID', `${path} ${problem}.`, hint);
}

/** For an option that a folder's own files may not set. */
export function folderNotTrusted(path: string, option: string): HefixError {
  return new HefixError(
    'FOLDER_NOT_TRUSTED',
    `${path} sets ${option}, which the files of a folder may set only after hefix trust.`,
    `Check the file and run hefix trust in its folder, or give ${option} yourself.`,
  );
}

export function reportFormUnknown(path: string): HefixError {
  return new HefixError(
    'REPORT_FORM_UNKNOWN',
    `--out is ${JSON.stringify(path)}, expected a .png, .svg or .html file.`,
    SEE_HELP,
  );
}
