import { flag, type Given, type OptionTable } from '../options/option.ts';
import type { Terminal } from './terminal/terminal.ts';

/** A command of the command line; its module imports what it needs only when it runs. */
export interface Command {
  /** What it does, in a sentence or two. */
  readonly description: string;
  /** Its arguments besides options; none if omitted. */
  readonly operands?: Operands;
  readonly options: OptionTable;
  readonly examples: readonly string[];
  /** Exit code of an error, where 1 has another meaning. */
  readonly errorExitCode?: number;
  /** Whether Ctrl-C ends it wherever it is; the others end themselves when the signal is aborted. */
  readonly endsAtOnce?: true;
  /** @returns the exit code. Options are text, or true for flags. */
  run(options: Given, io: Io, operands: readonly string[]): Promise<number>;
}

interface Operands {
  /** How the usage line shows them: `<a.jsonl> <b.jsonl>`. */
  readonly usage: string;
  readonly min: number;
  readonly max: number;
}

/** The parts of the process that a command may use. */
export interface Io {
  /** Textual results: lines on stdout. */
  print(text: string): void;
  /** The result as one line of JSON; on a terminal only with `--json` or `--quiet`. */
  printResult(result: object): void;
  /** Whether `--debug` was given. */
  readonly debug: boolean;
  /** Progress and notes, on stderr. */
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** Sets what the second Ctrl-C or SIGTERM does; it ends the process unless set. */
  onSecondInterrupt(action: () => void): void;
  /** All commands. */
  readonly commands: readonly CommandEntry[];
}

/** A command as listed in the overview. */
export interface CommandEntry {
  readonly name: string;
  readonly about: string;
  load(): Promise<Command>;
}

/** The options of every command. */
export const globalOptions = {
  json: { schema: flag(), group: 'Output', about: 'print the result as JSON on a terminal too' },
  debug: {
    schema: flag(),
    group: 'Output',
    about: 'show what agent, model and sandbox do, with times, and stack traces',
  },
  help: { schema: flag(), short: 'h', group: 'Output', about: 'show help', isCommon: true },
  all: { schema: flag(), group: 'Output', about: 'with --help: show every option', isCommon: true },
  version: { schema: flag(), group: 'Output', about: 'show the version' },
} as const satisfies OptionTable;
