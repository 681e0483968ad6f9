import type { Flag, Terminal } from '../lib/index.ts';

/** One command of the command line. */
export interface Command {
  readonly name: string;
  readonly about: string;
  /** What it takes beside options; nothing unless given. */
  readonly operands?: Operands;
  readonly flags: readonly Flag[];
  /** Shown in the help; keyed like the options. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly examples: readonly string[];
  /** Of an error, where 1 has another meaning. */
  readonly errorExitCode?: number;
  /** @returns the exit code. Options come as text, or true for those without a value. */
  run(options: Readonly<Record<string, string | true>>, io: Io, operands: readonly string[]): Promise<number>;
}

export interface Operands {
  /** In the usage line: `<a.jsonl> <b.jsonl>`. */
  readonly usage: string;
  readonly least: number;
  readonly most: number;
}

/** What a command may touch outside the library. */
export interface Io {
  /** Results that were asked for as text: lines on stdout. */
  print(text: string): void;
  /** What came of the work, as one line of JSON; on a terminal only with `--json` or `--quiet`, since people see it in words. */
  printResult(result: object): void;
  /** `--debug` was given. */
  readonly debug: boolean;
  /** Progress and notes, on stderr. */
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** What every command takes. */
export const globalFlags: readonly Flag[] = [
  { flags: '--json', group: 'Output', about: 'print the result as JSON on a terminal too' },
  { flags: '--debug', group: 'Output', about: 'tell what agent, model and sandbox do, with times' },
  { flags: '-h, --help', group: 'Output', about: 'show this help' },
  { flags: '--version', group: 'Output', about: 'show the version' },
];
