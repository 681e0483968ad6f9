import { parseArgs } from 'node:util';
import {
  argumentMissing,
  argumentUnexpected,
  closest,
  commandUnknown,
  type Flag,
  optionInvalid,
  optionMissingValue,
  optionOfAnother,
  optionRepeated,
  optionUnknown,
} from '../lib/index.ts';
import { type Command, globalFlags } from './command.ts';
import { type FlagNames, flagNames } from './flag-names.ts';

export interface Arguments {
  readonly command: Command;
  /** By the library's names; the options of every command (`help`, `debug`, `version`) are among them. */
  readonly options: Readonly<Record<string, string | true>>;
  readonly operands: readonly string[];
}

/**
 * Reads the arguments of the command line; the first command is the one that is meant if none is named.
 * Values stay the text that was written: which of them are numbers, and which numbers, the schemas decide.
 * @throws HefixError for what no command or not this one takes.
 */
export function readArguments(
  args: readonly string[],
  commands: readonly [Command, ...Command[]],
): Arguments {
  const tokens = tokenise(args, commands);
  const [name, ...rest] = tokens.filter(token => token.kind === 'positional');
  const named = name === undefined ? commands[0] : commands.find(known => known.name === name.value);
  for (const token of tokens) {
    if (token.kind === 'positional') continue;
    if (token.names === undefined) throw unknownOption(token.rawName, named, commands);
    if (token.names.takesValue && isMissing(token.value, commands))
      throw optionMissingValue(token.names.long);
  }
  if (named === undefined) {
    const typed = name?.value ?? '';
    throw commandUnknown(
      typed,
      closest(
        typed,
        commands.map(known => known.name),
      ),
    );
  }
  const operands = rest.map(({ value }) => value);
  const excess = operands[named.operands?.most ?? 0];
  if (excess !== undefined) throw argumentUnexpected(excess, named.name, named.operands?.usage);
  return { command: named, operands, options: readOptions(tokens, named, commands) };
}

/**
 * What a command is given beside options. Apart from the rest, since its help is for those who do not know.
 * @throws HefixError (`ARGUMENT_MISSING`)
 */
export function readOperands(command: Command, operands: readonly string[]): readonly string[] {
  const { least, usage } = command.operands ?? { least: 0, usage: '' };
  if (operands.length < least) throw argumentMissing(command.name, usage);
  return operands;
}

interface OptionToken {
  readonly kind: 'option';
  /** As written: `-i`, `--iters`. */
  readonly rawName: string;
  readonly value: string | undefined;
  /** Undefined if no command has it. */
  readonly names: FlagNames | undefined;
}

type Token = OptionToken | { readonly kind: 'positional'; readonly value: string };

function tokenise(args: readonly string[], commands: readonly Command[]): Token[] {
  const known = [...commands.flatMap(command => command.flags), ...globalFlags].map(flagNames);
  const byName = new Map(known.flatMap(names => names.all.map(name => [name, names] as const)));
  const options = Object.fromEntries(
    [...byName].map(([name, { takesValue, short, all }]) => [
      name,
      {
        type: takesValue ? ('string' as const) : ('boolean' as const),
        ...(short !== undefined && name === all.at(-1) ? { short } : {}),
      },
    ]),
  );
  const { tokens } = parseArgs({
    args: withJoinedValues(args, known, commands),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens.flatMap((token): Token[] => {
    if (token.kind === 'positional') return [{ kind: 'positional', value: token.value }];
    if (token.kind === 'option-terminator') return [];
    // `-i=3` is read as `-i` with the value `=3`.
    const value = token.rawName.startsWith('--') ? token.value : token.value?.replace(/^=/, '');
    return [{ kind: 'option', rawName: token.rawName, value, names: byName.get(token.name) }];
  });
}

/** `--cache folder` → `--cache=folder`: a value that may be left out would be read as a word of its own. */
function withJoinedValues(
  args: readonly string[],
  known: readonly FlagNames[],
  commands: readonly Command[],
): string[] {
  const asking = known.filter(names => names.valueMayBeLeftOut).flatMap(names => names.all);
  const asks = (arg: string | undefined) => asking.some(name => arg === `--${name}`);
  const isValue = (arg: string) => !arg.startsWith('-') && !commands.some(({ name }) => name === arg);
  return args.flatMap((arg, index) => {
    const next = args[index + 1];
    if (asks(args[index - 1]) && isValue(arg)) return [];
    return asks(arg) && next !== undefined && isValue(next) ? [`${arg}=${next}`] : [arg];
  });
}

function readOptions(
  tokens: readonly Token[],
  command: Command,
  commands: readonly Command[],
): Record<string, string | true> {
  const own = new Set([...command.flags, ...globalFlags].map(flag => flagNames(flag).key));
  const options: Record<string, string | true> = {};
  for (const token of tokens) {
    if (token.kind === 'positional' || token.names === undefined) continue;
    const { key, long, takesValue, valueMayBeLeftOut } = token.names;
    if (!own.has(key)) throw optionOfAnother(long, command.name, ownersOf(key, commands));
    if (key in options) throw optionRepeated(long);
    if (!takesValue && !valueMayBeLeftOut && token.value !== undefined) {
      throw optionInvalid(long, token.value, 'no value');
    }
    options[key] = token.value ?? (takesValue ? '' : true);
  }
  return options;
}

/** `--iters --ts 5` lacks a value; `--iters -1` has a wrong one. */
function isMissing(value: string | undefined, commands: readonly Command[]): boolean {
  return value === undefined || allNames(commands).includes(value.split('=', 1)[0] ?? '');
}

/** The command's own options come first: as near ones of other commands were hardly meant. */
function unknownOption(rawName: string, command: Command | undefined, commands: readonly Command[]) {
  const own = command === undefined ? undefined : closest(rawName, allNames([command]));
  return optionUnknown(rawName, own ?? closest(rawName, allNames(commands)));
}

function ownersOf(key: string, commands: readonly Command[]): string[] {
  const has = (flag: Flag) => flagNames(flag).key === key;
  return commands.filter(command => command.flags.some(has)).map(command => command.name);
}

/** With their dashes. */
function allNames(commands: readonly Command[]): string[] {
  const flags = [...commands.flatMap(command => command.flags), ...globalFlags].map(flagNames);
  const names = flags.flatMap(({ all, short }) => [
    ...all.map(name => `--${name}`),
    ...(short ? [`-${short}`] : []),
  ]);
  return [...new Set(names)];
}
