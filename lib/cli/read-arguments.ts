import { cac } from 'cac';
import { bundledNames } from '../../dataset/bundled.ts';
import type { HefixError } from '../core/errors.ts';
import { knownModels } from '../model/aliases.ts';
import {
  closest,
  namesOf,
  type OptionTable,
  optionInvalid,
  optionUnknown,
  usageOf,
} from '../options/option.ts';
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
 * Reads a command's arguments: cac parses them, and stricter checks follow. Values remain text; the schemas
 * decide which of them are numbers.
 * @throws HefixError for anything that the command does not accept.
 */
export async function readArguments(
  argv: readonly string[],
  name: string,
  command: Command,
): Promise<Arguments> {
  const table: OptionTable = { ...globalOptions, ...command.options };
  const args = withWords(argv, table);
  const written = writtenOptions(args, table);
  const cli = cac('hefix');
  const declared = cli.command('[...operands]', command.description);
  for (const [key, option] of Object.entries(table)) declared.option(usageOf(key, option), option.about);
  const parsed = cli.parse(['node', 'hefix', ...asText(args, table)], { run: false });
  const operands = [...parsed.args, ...rest(parsed.options['--'])].map(plain);
  const options: Record<string, string | true> = {};
  const typed = new Map<string, string>();
  for (const { key, as } of written) {
    if (key === undefined) throw await unknownOption(as, name, table);
    if (typed.has(key) && !table[key]?.repeats) throw optionRepeated(as, typed.get(key));
    typed.set(key, as);
  }
  for (const { key = '', as, inlineValue } of written) {
    const option = table[key];
    if (option === undefined) continue;
    if (option.argument === undefined) {
      const { word } = option;
      if (inlineValue !== undefined && inlineValue !== word)
        throw optionInvalid(as, inlineValue, word === undefined ? 'no value' : `no value or ${word}`);
      options[key] = inlineValue ?? true;
      continue;
    }
    const value = namesOf(key, option)
      .map(name => parsed.options[camelCase(name)] as unknown)
      .find(each => each !== undefined);
    const isText = (each: unknown): each is string => typeof each === 'string';
    if (isText(value)) options[key] = plain(value);
    else if (Array.isArray(value) && value.every(isText)) options[key] = value.map(plain).join('\n');
    else if (option.argument.startsWith('[')) options[key] = true;
    else throw optionMissingValue(as);
  }
  const excess = operands[command.operands?.max ?? 0];
  if (excess !== undefined) {
    const meant = command.operands === undefined ? meantOption(excess) : undefined;
    const option = meant !== undefined && meant.slice(2) in table ? meant : undefined;
    throw argumentUnexpected(excess, name, command.operands?.usage, option);
  }
  return { options, operands, typed };
}

/**
 * Checks that all required arguments are present. This is a separate step because `--help` works without
 * them.
 * @throws HefixError (`ARGUMENT_MISSING`)
 */
export function checkOperands(name: string, { operands }: Command, values: readonly string[]): void {
  if (operands && values.length < operands.min) throw argumentMissing(name, operands.usage);
}

/** The first argument that is neither an option nor the value of one. */
export function firstOperand(args: readonly string[], table: OptionTable): number {
  const names = keysByName(table);
  return args.findIndex((arg, index) => {
    const before = args[index - 1];
    // What follows an unknown option was probably meant as its value.
    const isUnknown = before?.startsWith('--') && !before.includes('=') && !names.has(before);
    return !isOption(arg) && !isUnknown && !takesNext(before, arg, names, table);
  });
}

/** `--write unsure` → `--write=unsure`, for flags that a word may follow. */
function withWords(args: readonly string[], table: OptionTable): string[] {
  const names = keysByName(table);
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1) ?? '';
    const word = table[names.get(before) ?? '']?.word;
    if (word !== undefined && arg === word) joined[joined.length - 1] = `${before}=${word}`;
    else joined.push(arg);
  }
  return joined;
}

interface WrittenOption {
  /** As typed: `-i`, `--iters`. */
  readonly as: string;
  /** Undefined if the command has no such option. */
  readonly key: string | undefined;
  readonly inlineValue: string | undefined;
}

function writtenOptions(args: readonly string[], table: OptionTable): WrittenOption[] {
  const names = keysByName(table);
  const end = args.indexOf('--');
  const beforeDashes = end === -1 ? args : args.slice(0, end);
  return beforeDashes.flatMap((arg, index) => {
    if (!isOption(arg) || takesNext(beforeDashes[index - 1], arg, names, table)) return [];
    const [as = arg, inlineValue] = split(arg);
    if (as.startsWith('--') || names.has(as)) {
      // `--i 3` is `-i 3`.
      const key = names.get(as) ?? (as.length === 3 ? names.get(as.slice(1)) : undefined);
      return [{ as, key, inlineValue }];
    }
    return shortOptions(arg, names, table);
  });
}

/** `-vi` is `-v -i`; in `-i3` the rest is the option's value. */
function shortOptions(arg: string, names: ReadonlyMap<string, string>, table: OptionTable): WrittenOption[] {
  const written: WrittenOption[] = [];
  for (const letter of arg.slice(1)) {
    const as = `-${letter}`;
    const key = names.get(as);
    written.push({ as, key, inlineValue: undefined });
    if (key === undefined || table[key]?.argument !== undefined) break;
  }
  return written;
}

/**
 * Prepares arguments for cac, which converts everything that looks like a number, treats `-1` as an option
 * and does not support `-i3`; a marker before such values keeps them as written, and `plain` removes it
 * again.
 */
function asText(args: readonly string[], table: OptionTable): string[] {
  const names = keysByName(table);
  const joined: string[] = [];
  for (const [index, arg] of args.entries()) {
    const key = names.get(args[index - 1] ?? '');
    if (/^-(\d|\.\d)/.test(arg) && key !== undefined && table[key]?.argument !== undefined) {
      joined[joined.length - 1] += `=${MARK}${arg}`;
    } else if (!isOption(arg)) {
      joined.push(looksLikeNumber(arg) ? `${MARK}${arg}` : arg);
    } else {
      const [name, value] = split(withoutJoin(arg, names, table));
      const isFlag = table[names.get(name) ?? '']?.word !== undefined;
      joined.push(
        value === undefined || isFlag
          ? (name ?? arg)
          : `${name}=${looksLikeNumber(value) ? MARK : ''}${value}`,
      );
    }
  }
  return joined;
}

/** `-i3` → `-i=3`. */
function withoutJoin(arg: string, names: ReadonlyMap<string, string>, table: OptionTable): string {
  const key = names.get(arg.slice(0, 2));
  const isJoined = /^-[a-z][^=]/.test(arg) && key !== undefined && table[key]?.argument !== undefined;
  return isJoined ? `${arg.slice(0, 2)}=${arg.slice(2)}` : arg;
}

const MARK = '\u2060';

function plain(text: string): string {
  return text.startsWith(MARK) ? text.slice(1) : text;
}

function looksLikeNumber(text: string): boolean {
  return Number.isFinite(Number(text));
}

/** Whether an argument is the value of the previous one. */
function takesNext(
  before: string | undefined,
  arg: string,
  names: ReadonlyMap<string, string>,
  table: OptionTable,
): boolean {
  if (before === undefined || before.includes('=')) return false;
  const key = names.get(before) ?? names.get(before.slice(1)) ?? lastOfCluster(before, names);
  return key !== undefined && table[key]?.argument !== undefined && (!isOption(arg) || /^-\.?\d/.test(arg));
}

function lastOfCluster(arg: string, names: ReadonlyMap<string, string>): string | undefined {
  return /^-[a-z]{2,}$/.test(arg) ? names.get(`-${arg.at(-1)}`) : undefined;
}

function isOption(arg: string): boolean {
  return arg.startsWith('-') && arg !== '-';
}

/** `--dataset-path` → `datasetPath`, cac's name for it. */
function camelCase(name: string): string {
  return name.replace(/^-+/, '').replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function split(arg: string): [string, string | undefined] {
  const equals = arg.indexOf('=');
  return equals === -1 ? [arg, undefined] : [arg.slice(0, equals), arg.slice(equals + 1)];
}

function keysByName(table: OptionTable): Map<string, string> {
  return new Map(
    Object.entries(table).flatMap(([key, option]) => namesOf(key, option).map(name => [name, key] as const)),
  );
}

function rest(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** The hint for an unknown option: the command that has it, a similar name, or nothing. */
async function unknownOption(as: string, name: string, table: OptionTable): Promise<HefixError> {
  const near = closest(as, allNames(table));
  if (near !== undefined) return optionUnknown(as, near);
  const { commandTables } = await import('../options/command-tables.ts');
  const owners = Object.entries(await commandTables()).filter(([, options]) =>
    allNames(options).includes(as),
  );
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

/** Whether an argument of `hefix` can only be a model: a known name, a hub id, a GGUF file or a model of Ollama's. */
export function isModelName(argument: string): boolean {
  if (models.includes(argument) || /^ollama:|\.gguf$/i.test(argument)) return true;
  return /^\w[\w.-]*\/[\w.-]+$/.test(argument) && !/\.([cm]?[jt]sx?|pyi?|jsonl?|gz|parquet)$/i.test(argument);
}

/** The option whose value an argument looks like: a model's or a dataset's name or file. Undefined if none. */
export function meantOption(argument: string): '--model' | '--dataset' | undefined {
  if (['humanevalpack', ...bundledNames].includes(argument)) return '--dataset';
  if (/\.(parquet|jsonl|jsonl\.gz)$/.test(argument)) return '--dataset';
  // A hub id or a folder, a tag as in `qwen:7b`, or a size as in `llama-3.2-1b`.
  return models.includes(argument) || /[/:]|\d[bm]\b/i.test(argument) ? '--model' : undefined;
}
