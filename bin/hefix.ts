#!/usr/bin/env node
import { inspect } from 'node:util';
import {
  HefixError,
  hefixVersion,
  printable,
  printableJson,
  printableLines,
  terminalOf,
} from '../lib/index.ts';
import type { Io } from './command.ts';
import { attackCommand } from './commands/attack.ts';
import { compareCommand } from './commands/compare.ts';
import { doctorCommand } from './commands/doctor.ts';
import { execCommand } from './commands/exec.ts';
import { machineCommand } from './commands/machine.ts';
import { mergeCommand } from './commands/merge.ts';
import { modelsCommand } from './commands/models.ts';
import { pullCommand } from './commands/pull.ts';
import { reportCommand } from './commands/report.ts';
import { rerunCommand } from './commands/rerun.ts';
import { runCommand } from './commands/run.ts';
import { stepCommand } from './commands/step.ts';
import { sweepCommand } from './commands/sweep.ts';
import { verifyCommand } from './commands/verify.ts';
import { viewCommand } from './commands/view.ts';
import { printHelp } from './help.ts';
import { type Arguments, readArguments, readOperands } from './read-arguments.ts';

/** The command line: parse, call the library, print, exit code. The first command is the default. */

const commands = [
  runCommand,
  sweepCommand,
  compareCommand,
  mergeCommand,
  reportCommand,
  viewCommand,
  rerunCommand,
  verifyCommand,
  attackCommand,
  execCommand,
  stepCommand,
  machineCommand,
  modelsCommand,
  pullCommand,
  doctorCommand,
] as const;

/** Interrupted, nothing lost. */
const INTERRUPTED = 130;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  ignoreClosedPipes();
  const signal = interruptSignal();
  const terminal = terminalOf(process.stderr, process.env);
  const print = (text: string) => process.stdout.write(`${text}\n`);
  const printResult = (result: object) => {
    const isAsked = args.includes('--json') || args.includes('--quiet');
    if (!process.stdout.isTTY || isAsked) print(printableJson(result));
  };
  const io: Io = { print, printResult, terminal, signal, debug: args.includes('--debug') };
  let read: Arguments | undefined;
  try {
    read = readArguments(args, commands);
    return await execute(read, io);
  } catch (error) {
    if (!signal.aborted || args.includes('--debug')) printError(error, io, args.includes('--debug'));
    else terminal.write(`${error instanceof HefixError ? sentences(error) : 'Interrupted.'}\n`);
    return signal.aborted ? INTERRUPTED : (read?.command.errorExitCode ?? 1);
  }
}

async function execute({ command, options, operands }: Arguments, io: Io): Promise<number> {
  const { help, version, debug: _, json, ...given } = options;
  // Commands with a result in another form have the option themselves.
  const hasJson = command.flags.some(({ flags }) => flags === '--json');
  const own = { ...given, ...(hasJson && json ? { json } : {}) };
  if (version) {
    io.print(hefixVersion());
    return 0;
  }
  if (help) {
    printHelp(command, commands);
    return 0;
  }
  return await command.run(own, io, readOperands(command, operands));
}

/** Aborted by the first Ctrl-C or SIGTERM, so that what is under way can end well; the second ends the process. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return controller.signal;
}

/** `hefix | head` closes the pipe before all is said; that is no error. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

function printError(error: unknown, { terminal }: Io, debug: boolean): void {
  const { red, dim } = terminal.colors;
  if (error instanceof HefixError) {
    terminal.write(
      `${red('error')} ${printable(error.message)} ${dim(`[${error.code}]`)}\n${printableLines(error.hint)}\n`,
    );
  } else {
    const message = error instanceof Error ? error.message : String(error);
    terminal.write(`${red('error')} hefix itself failed: ${printable(message)} ${dim('[INTERNAL]')}\n`);
    terminal.write('This is a fault in hefix; --debug shows where.\n');
  }
  if (debug) terminal.write(`${inspect(error)}\n`);
}

function sentences({ message, hint }: HefixError): string {
  return `${printable(message)}\n${printableLines(hint)}`;
}
