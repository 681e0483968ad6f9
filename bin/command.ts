import type { OptionTable } from '../lib/options/option.ts';
import type { Terminal } from '../lib/terminal/terminal.ts';

/** One command of the command line; its module loads what it runs only when it runs. */
export interface Command {
  /** What it does, in a sentence or two. */
  readonly description: string;
  /** What it takes besides options; nothing unless given. */
  readonly operands?: Operands;
  readonly options: OptionTable;
  readonly examples: readonly string[];
  /** Exit code of an error, where 1 has another meaning. */
  readonly errorExitCode?: number;
  /** @returns the exit code. Options come as text, or true for those without a value. */
  run(options: GivenOptions, io: Io, operands: readonly string[]): Promise<number>;
}

/** Options as they were typed, by the library's names for them. */
export type GivenOptions = Readonly<Record<string, unknown>>;

export interface Operands {
  /** In the usage line: `<a.jsonl> <b.jsonl>`. */
  readonly usage: string;
  readonly min: number;
  readonly max: number;
}

/** What a command may touch outside the library. */
export interface Io {
  /** Results that were asked for as text: lines on stdout. */
  print(text: string): void;
  /** The result of the work as one line of JSON; on a terminal only with `--json` or `--quiet`. */
  printResult(result: object): void;
  /** `--debug` was given. */
  readonly debug: boolean;
  /** Progress and notes, on stderr. */
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** All that there are. */
  readonly commands: readonly CommandEntry[];
}

/** A command as the overview lists it. */
export interface CommandEntry {
  readonly name: string;
  readonly about: string;
  load(): Promise<Command>;
}
