import type { Sandbox } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import { prescreenProgram } from './prescreen-program.ts';

/** What trying programs one after the other came to. */
export interface Prescreened {
  /** Assertions that held, for each program that was tried. */
  readonly held: readonly number[];
  /** Whether the last one tried held them all. */
  readonly survived: boolean;
}

/** Programs in one execution: its start is shared by many, and little is lost if one of them ends it. */
const AT_ONCE = 100;

/**
 * Tries programs in their order until one holds all assertions, many in one execution. That is no verdict: the
 * programs share a process with what counts for them. A program that ends the execution has held nothing.
 */
export async function prescreenPrograms(
  parser: SyntaxParser,
  sandbox: Pick<Sandbox, 'execute'>,
  task: Task,
  programs: readonly string[],
  tests: string,
  signal?: AbortSignal,
): Promise<Prescreened> {
  const held: number[] = [];
  while (held.length < programs.length) {
    const batch = programs.slice(held.length, held.length + AT_ONCE);
    const request = prescreenProgram(parser, task, batch, tests);
    const { stdout, verdict } = await sandbox.execute({ language: task.language, ...request }, signal);
    const lines = linesOf(stdout, batch.length);
    held.push(...lines.map(line => Math.max(line.held, -1 - line.held)));
    const last = lines.at(-1);
    if (last && last.held > 0 && last.held === last.reached) return { held, survived: true };
    // What ended the process is the next one; where its time was up, it may just have been one too many.
    const isEnded = lines.length < batch.length && verdict.kind !== 'timeout';
    if (isEnded || lines.length === 0) held.push(0);
  }
  return { held, survived: false };
}

interface Line {
  readonly held: number;
  readonly reached: number;
}

function linesOf(stdout: string, most: number): Line[] {
  const found = [...stdout.matchAll(/^@(\d+) (-?\d+) (\d+)$/gm)].map(([, number, held, reached]) => ({
    number: Number(number),
    held: Number(held),
    reached: Number(reached),
  }));
  return found.filter(({ number }, index) => number === index).slice(0, most);
}
