import { parseArgs } from 'node:util';
import { bundledNames } from '../../dataset/bundled.ts';
import type { HefixError } from '../core/errors.ts';
import { knownModels } from '../model/aliases.ts';
import { optionInvalid, optionUnknown } from '../options/errors.ts';
import { closest, namesOf, type OptionTable } from '../options/option.ts';
import { runOptions } from '../options/tables/run-options.ts';
import { type Command, globalOptions } from './command.ts';
import {
  argumentMissing,
  argumentUnexpected,
  optionMissingValue,
  optionOfAnother,
  optionRepeated,
} from './errors.ts';

export interface Arguments {
  /** Keyed by the library's names; includes the options of every command (`help`, `debug`, `version`). */
  readonly options: Readonly<Record<string, string | true>>;
  /** All positional arguments in order, without the command's name. */
  readonly operands: readonly string[];
  /** How each option was spelled: `limit` → `--ts`. */
  readonly typed: ReadonlyMap<string, string>;
}

/**
 * Reads a command's arguments. Values remain text; the schemas decide which of them are numbers.
 * @throws HefixError for anything that the command does not accept.
 */
export async function readArguments(
  args: readonly string[],
  name: string,
  command: Command,
): Promise<Arguments> {
  const table: OptionTable = { ...globalOptions, ...command.options };
  const { written, operands } = parse(args, table);
  const options: Record<string, string | true> = {};
  const typed = new Map<string, string>();
  for (const { key, as } of written) {
    if (key === undefined) throw await unknownOption(as, name, table);
    if (typed.has(key)) throw optionRepeated(as, typed.get(key));
    typed.set(key, as);
  }
  for (const { key = '', as, value, isInline } of written) {
    const argument = table[key]?.argument;
    if (argument === undefined && value !== undefined) throw optionInvalid(as, value, 'no value');
    const isMissing = value === undefined || (!isInline && isOption(value));
    if (isMissing && argument?.startsWith('<')) throw optionMissingValue(as);
    options[key] = value ?? true;
  }
  const excess = operands[command.operands?.max ?? 0]?.text;
  if (excess !== undefined) {
    const meant = command.operands === undefined ? meantOption(excess) : undefined;
    const option = meant !== undefined && meant.slice(2) in table ? meant : undefined;
    throw argumentUnexpected(excess, name, command.operands?.usage, option);
  }
  return { options, operands: operands.map(({ text }) => text), typed };
}

/**
 * Checks that all required arguments are present. This is a separate step because `--help` works without
 * them.
 * @throws HefixError (`ARGUMENT_MISSING`)
 */
export function checkOperands(name: string, { operands }: Command, given: readonly string[]): void {
  if (operands && given.length < operands.min) throw argumentMissing(name, operands.usage);
}

/** The index of the first argument that is neither an option nor the value of one; -1 if there is none. */
export function firstOperand(args: readonly string[], table: OptionTable): number {
  const { written, operands } = parse(args, table);
  // What follows an unknown option was probably meant as its value.
  const isStray = (index: number) =>
    written.some(
      ({ key, as, value, index: before }) =>
        key === undefined && as.startsWith('--') && value === undefined && before === index - 1,
    );
  return operands.find(({ index }) => !isStray(index))?.index ?? -1;
}

interface WrittenOption {
  /** As typed: `-i`, `--iters`. */
  readonly as: string;
  /** Undefined if the command has no such option. */
  readonly key: string | undefined;
  /** Undefined for flags, and where none follows. */
  readonly value: string | undefined;
  /** Whether the value is part of the same argument: `--iters=3`, `-i3`. */
  readonly isInline: boolean;
  /** Index of the argument. */
  readonly index: number;
}

interface Parsed {
  readonly written: readonly WrittenOption[];
  readonly operands: readonly { readonly text: string; readonly index: number }[];
}

function parse(args: readonly string[], table: OptionTable): Parsed {
  // `--i 3` is `-i 3`.
  const keys = new Map(
    Object.entries(table).flatMap(([key, option]) =>
      namesOf(key, option).map(name => [name.replace(/^--?/, ''), key] as const),
    ),
  );
  /** Whether an option is followed by another one instead of its value. */
  const isAlone = (name: string) => {
    const at = args.indexOf(name.length === 1 ? `-${name}` : `--${name}`);
    return at !== -1 && isOption(args[at + 1] ?? '--');
  };
  const options = [...keys].map(([name, key]) => {
    const type = table[key]?.argument === undefined || isAlone(name) ? 'boolean' : 'string';
    return [name, { type, ...(name.length === 1 && { short: name }) }] as const;
  });
  const { tokens } = parseArgs({
    // `-i=3` is `--i=3`.
    args: args.map(arg => arg.replace(/^-(?=[a-z]=)/, '--')),
    options: Object.fromEntries(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return {
    written: tokens.flatMap(token => {
      if (token.kind !== 'option') return [];
      const { name, rawName, index, value, inlineValue: isInline = false } = token;
      const as = args[index]?.startsWith('--') ? rawName : `-${name}`;
      return [{ as, key: keys.get(name), value, isInline, index }];
    }),
    operands: tokens.flatMap(({ kind, index }) =>
      kind === 'positional' ? [{ text: args[index] ?? '', index }] : [],
    ),
  };
}

/** Negative numbers are values. */
function isOption(arg: string): boolean {
  return /^-(?!\.?\d|$)/.test(arg);
}

/** The hint for an unknown option: the command that has it, a similar name, or nothing. */
async function unknownOption(as: string, name: string, table: OptionTable): Promise<HefixError> {
  const near = closest(as, allNames(table));
  if (near !== undefined) return optionUnknown(as, near);
  const { commandTables } = await import('../options/command-tables.ts');
  const owners = Object.entries(commandTables).filter(([, options]) => allNames(options).includes(as));
  if (owners.length === 0) return optionUnknown(as, undefined);
  return optionOfAnother(
    as,
    name,
    owners.map(([owner]) => owner),
  );
}

function allNames(table: OptionTable): string[] {
  return Object.entries(table).flatMap(([key, option]) => namesOf(key, option));
}

const models: readonly string[] = [
  runOptions.model.schema.parse(undefined),
  ...knownModels.flatMap(({ alias, id }) => [alias, id]),
];

/** The option whose value an argument looks like: a model's or a dataset's name or file. Undefined if none. */
export function meantOption(argument: string): '--model' | '--dataset' | undefined {
  if (['humanevalpack', ...bundledNames].includes(argument)) return '--dataset';
  if (/\.(parquet|jsonl|jsonl\.gz)$/.test(argument)) return '--dataset';
  // A hub id or a folder, a tag as in `qwen:7b`, or a size as in `llama-3.2-1b`.
  return models.includes(argument) || /[/:]|\d+(\.\d+)?[bm]\b/i.test(argument) ? '--model' : undefined;
}
