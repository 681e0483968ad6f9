import { inspect } from 'node:util';
import { unlessAborted } from '../core/async.ts';
import { HefixError } from '../core/errors.ts';
import { printable, printableJson, printableLines } from '../core/text.ts';
import { errorOfSystem } from '../files/errors.ts';
import { hefixVersion } from '../files/package.ts';
import { closest, longName } from '../options/option.ts';
import { type Command, type CommandEntry, globalOptions, type Io } from './command.ts';
import { commandNames, commands, findCommand } from './commands.ts';
import { argumentIsValue, argumentTooLong, commandUnknown } from './errors.ts';
import { INTERRUPTED } from './exit-codes.ts';
import { checkOperands, firstOperand, isModelName, meantOption, readArguments } from './read-arguments.ts';
import { terminalOf, warningLine } from './terminal/terminal.ts';

/** Parses arguments, runs the command and prints its result or error. Resolves with the exit code. */
export async function runCommand(
  args: readonly string[],
  signal: AbortSignal,
  onSecondInterrupt: Io['onSecondInterrupt'],
): Promise<number> {
  const terminal = terminalOf(process.stderr, process.env);
  const debug = args.includes('--debug');
  const print = (text: string) => process.stdout.write(`${text}\n`);
  const printResult = (result: object) => {
    const isAsked = args.includes('--json') || args.includes('--quiet');
    if (!process.stdout.isTTY || isAsked) print(printableJson(result));
  };
  const io: Io = { print, printResult, debug, terminal, signal, onSecondInterrupt, commands };
  const run: Progress = {};
  try {
    return await execute(args, io, run);
  } catch (error) {
    const shown = error instanceof HefixError ? inWordsTyped(error, run) : error;
    if (!signal.aborted || debug) printError(shown, io, debug);
    else terminal.write(`${shown instanceof HefixError ? sentences(shown) : 'Interrupted.'}\n`);
    return signal.aborted ? INTERRUPTED : (run.command?.errorExitCode ?? 1);
  }
}

/** What was parsed before an error occurred. */
interface Progress {
  name?: string;
  command?: Command;
  typed?: ReadonlyMap<string, string>;
}

/** Characters of one argument. */
const MAX_LENGTH = 2 ** 15;

async function execute(args: readonly string[], io: Io, run: Progress): Promise<number> {
  const long = args.find(({ length }) => length > MAX_LENGTH);
  if (long !== undefined) throw argumentTooLong(long, MAX_LENGTH);
  const { name, load, args: commandArguments } = await selectCommand(args);
  run.name = name;
  const command = await load();
  run.command = command;
  const { options, operands, typed } = await readArguments(commandArguments, name, command);
  run.typed = typed;
  const { help, version, all } = options;
  if (version) {
    io.print(hefixVersion());
    return 0;
  }
  if (help) {
    const { printHelp } = await import('./help.ts');
    printHelp(name, command, { width: process.stdout.columns ?? 100, all: all !== undefined });
    return 0;
  }
  checkOperands(name, command, operands);
  const { withConfiguration } = await import('../options/settings.ts');
  // A command may define an option with the same name.
  const isOwn = (key: string) => Object.hasOwn(command.options, key) || !Object.hasOwn(globalOptions, key);
  const commandOptions = Object.fromEntries(Object.entries(options).filter(([key]) => isOwn(key)));
  const warned = (sentence: string) => {
    io.terminal.write(warningLine(io.terminal, sentence));
  };
  const isTraced = Object.keys(process.env).some(variable => variable.startsWith('OTEL_EXPORTER_OTLP_'));
  const sendRest = isTraced
    ? await (await import('../run/export-spans.ts')).exportSpans(process.env, warned)
    : null;
  try {
    const cwd = process.cwd();
    const all = await withConfiguration(commandOptions, command.options, cwd, process.env);
    const { applyVariables, variableWarnings } = await import('../options/settings.ts');
    if (name !== 'trust' && all.quiet !== true) variableWarnings(cwd, process.env).forEach(warned);
    applyVariables(cwd, process.env);
    const running = command.run(all, io, operands);
    return await (command.endsAtOnce ? unlessAborted(running, io.signal) : running);
  } finally {
    await sendRest?.();
  }
}

/** Errors name an option by its long name, and no command; users should read what they typed. */
function inWordsTyped(error: HefixError, { name, typed }: Progress): HefixError {
  let { message } = error;
  for (const [key, as] of typed ?? []) {
    message = message.replace(new RegExp(`${longName(key)}(?![\\w-])`, 'g'), as);
  }
  const helpCommand = name === undefined ? 'hefix --help' : `hefix ${name} --help`;
  const hint = error.hint.replace('hefix help', helpCommand);
  return new HefixError(error.code, message, hint, error);
}

function printError(thrown: unknown, { terminal }: Io, debug: boolean): void {
  const { red, dim } = terminal.colors;
  const error = errorOfSystem(thrown) ?? thrown;
  if (error instanceof HefixError) {
    terminal.write(
      `${red('error')} ${printable(error.message)} ${dim(`[${error.code}]`)}\n${printableLines(error.hint)}\n`,
    );
  } else {
    const message = error instanceof Error ? error.message : String(error);
    terminal.write(`${red('error')} hefix itself failed: ${printable(message)} ${dim('[INTERNAL]')}\n`);
    terminal.write('This is a bug in hefix; --debug shows where.\n');
  }
  if (debug) terminal.write(`${inspect(error)}\n`);
}

function sentences({ message, hint }: HefixError): string {
  return `${printable(message)}\n${printableLines(hint)}`;
}

/**
 * Determines the command and its arguments. `hefix help sweep` is `hefix sweep --help`, and `hefix qwen3-0.6b` is
 * `hefix run --model qwen3-0.6b`.
 * @throws HefixError (`COMMAND_UNKNOWN`)
 */
export async function selectCommand(
  args: readonly string[],
): Promise<CommandEntry & { readonly args: readonly string[] }> {
  const [first, ...others] = args;
  if (first === 'help') return await selectCommand([...others, '--help']);
  const [fallback] = commands;
  const named = findCommand(first ?? '');
  if (named && named.name !== fallback.name) return { ...named, args: others };
  const remaining = named ? others : args;
  const index = firstOperand(remaining, { ...globalOptions, ...(await fallback.load()).options });
  const operand = remaining[index];
  if (operand !== undefined && isModelName(operand))
    return {
      ...fallback,
      args: ['--model', operand, ...remaining.filter((_, position) => position !== index)],
    };
  if (named || operand === undefined) return { ...fallback, args: remaining };
  const meant = findCommand(operand);
  if (meant) return { ...meant, args: args.filter((_, position) => position !== index) };
  const option = meantOption(operand);
  if (option !== undefined) throw argumentIsValue(operand, option);
  throw commandUnknown(operand, closest(operand, [...commandNames, 'help', 'version']));
}
