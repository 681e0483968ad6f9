import type { Trial } from '../../../machines/actors.ts';
import { unfinished } from '../../../machines/pool.ts';
import type { Sandbox } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { SearchClock } from '../enumerate/search-clock.ts';
import { FIRST_IS_THROUGH, prescreenProgram } from './prescreen-program.ts';

/** A program that ends the process also costs the start of the next one. */
const OVERRUNS_OF_ENDED = 4;

/** Programs per execution: they share the cost of its start, and little is lost if one of them ends it. */
const AT_ONCE = 250;

/**
 * Tries programs in order until one passes all assertions or the time limit is reached, many per execution.
 * The result is not a verdict: the programs share a process with the code that counts. A program that ends
 * the execution counts as having passed nothing. For languages without a compiler.
 * @param allWithin processor seconds to try all programs; if omitted, only up to the first that passes
 */
export async function prescreenPrograms(
  parser: SyntaxParser,
  sandbox: Pick<Sandbox, 'execute'>,
  task: Task,
  programs: readonly string[],
  tests: string,
  { clock, signal, allWithin }: ScreenOptions & { readonly allWithin?: number | undefined },
): Promise<Trial[]> {
  const begun = clock.left();
  const left = () => clock.left() - (allWithin === undefined ? 0 : Math.max(0, begun - allWithin));
  const trials: Trial[] = [];
  while (trials.length < programs.length && left() > 0) {
    const batch = programs.slice(trials.length, trials.length + AT_ONCE);
    const limits = {
      overruns: clock.overruns,
      skipsFirst: clock.skipsFirst,
      seconds: left(),
      all: allWithin !== undefined,
    };
    const request = prescreenProgram(parser, task, batch, tests, limits);
    const { stdout, verdict, seconds } = await sandbox.execute(
      { language: task.language, ...request },
      signal,
    );
    const lines = linesOf(stdout, batch.length);
    const last = lines.at(-1);
    trials.push(...lines.map((line, index) => trialOf(line, lines[index - 1]?.overruns ?? limits.overruns)));
    clock.overruns = Math.max(clock.overruns, last?.overruns ?? 0);
    const isThrough = verdict.kind === 'passed';
    clock.spend(isThrough && last ? last.milliseconds / 1000 : seconds);
    const isEnough = last?.ended && last.assertionsPassed > 0 && last.assertionsPassed === last.assertionsRun;
    if (!limits.all && isEnough) return trials;
    if (!isThrough && !clock.skipsFirst && !stdout.includes(FIRST_IS_THROUGH)) {
      clock.skipsFirst = true;
      continue;
    }
    // The next program ended the process; if the execution timed out, it may just have been one too many.
    const isEnded = lines.length < batch.length && verdict.kind !== 'timeout' && !isThrough;
    if (!isEnded && lines.length > 0) continue;
    if (isThrough) break;
    clock.overruns += OVERRUNS_OF_ENDED;
    trials.push(unfinished);
  }
  return trials;
}

function trialOf({ assertionsPassed, firstFailing, overruns }: Line, before: number): Trial {
  const outcome = firstFailing === null ? 'passed' : 'failed';
  return { outcome, assertionsPassed, firstFailing, overran: overruns > before };
}

interface Line {
  readonly assertionsPassed: number;
  readonly assertionsRun: number;
  /** Null for none. */
  readonly firstFailing: number | null;
  /** Whether the program came to the end of the assertions. */
  readonly ended: boolean;
  readonly milliseconds: number;
  readonly overruns: number;
}

function linesOf(stdout: string, limit: number): Line[] {
  const lines = /^@(\d+) (\d+) (\d+) (\d+|none) (ended|stopped) (\d+) (\d+)$/gm;
  const found = [...stdout.matchAll(lines)].map(([, number, passed, run, failing, end, time, overruns]) => ({
    number: Number(number),
    assertionsPassed: Number(passed),
    assertionsRun: Number(run),
    firstFailing: failing === 'none' ? null : Number(failing),
    ended: end === 'ended',
    milliseconds: Number(time),
    overruns: Number(overruns),
  }));
  return found.filter(({ number }, index) => number === index).slice(0, limit);
}

export interface ScreenOptions {
  readonly clock: SearchClock;
  readonly signal?: AbortSignal | undefined;
}
