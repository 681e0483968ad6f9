import type { Check } from '../../core/attempt.ts';
import type { Sandbox } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { SearchClock } from '../enumerate/search-clock.ts';
import { isCompiled } from '../enumerate/words.ts';
import { judgePrograms, suitesOf } from './judge-programs.ts';
import { prescreenPrograms } from './prescreen.ts';
import type { Prescreened, Trial } from './trials.ts';

export interface Screening {
  readonly parser: SyntaxParser;
  readonly sandbox: Pick<Sandbox, 'execute'>;
  readonly task: Task;
  readonly checks: readonly Check[];
  readonly clock: SearchClock;
  readonly signal?: AbortSignal | undefined;
}

/** The result of running candidates on the checks. */
export interface Screened<Candidate> {
  /** The first that passes all checks and may be proposed. */
  readonly agreeing: Candidate | null;
  /** Of the candidates that were run, in order. */
  readonly trials: readonly Trial[];
  /** How many candidates failed each check first. */
  readonly rejected: readonly number[];
  /** How many pass all checks but may not be proposed. */
  readonly barred: number;
}

/**
 * Runs candidates on all checks in order, up to the first that passes and may be proposed. Without checks,
 * nothing is run. Ends early at the clock's time limit. In compiled languages, adds those that fail to `failures`.
 */
export async function firstAgreeing<Candidate extends { readonly code: string }>(
  candidates: readonly Candidate[],
  mayBeHandedIn: (candidate: Candidate) => Promise<boolean>,
  screening: Screening,
  failures: Failures = new Map(),
): Promise<Screened<Candidate>> {
  const { task, checks } = screening;
  const programs = candidates.map(({ code }) => code);
  const tryEach = trierOf(screening);
  const trials: Trial[] = [];
  const rejected = checks.map(() => 0);
  let barred = 0;
  while (trials.length < candidates.length) {
    const left = programs.slice(trials.length);
    const prescreened =
      checks.length === 0
        ? { trials: [{ assertionsPassed: 0, missed: -1, overran: false }], survived: true }
        : await tryEach(left);
    if (isCompiled(task.language)) keepFailures(failures, left, prescreened.trials);
    trials.push(...prescreened.trials);
    countMissed(rejected, prescreened.trials);
    const survivor = candidates[trials.length - 1];
    if (!prescreened.survived || !survivor) break;
    if (await mayBeHandedIn(survivor)) return { agreeing: survivor, trials, rejected, barred };
    barred++;
  }
  return { agreeing: null, trials, rejected, barred };
}

/** The result of running all candidates on the checks. */
export interface ScreenedAll<Candidate> {
  /** Those that pass all checks, and those that there was no time for, in their order. */
  readonly left: readonly Candidate[];
  /** Whether there was time for all. */
  readonly isComplete: boolean;
  /** One a candidate; undefined if there was no time for it. */
  readonly trials: readonly (Trial | undefined)[];
  readonly rejected: readonly number[];
}

/**
 * Runs all candidates on all checks, as far as time allows: ranking the few that remain costs a model less
 * than ranking all. Without checks, nothing is run; candidates that failed before are not run again.
 */
export async function allAgreeing<Candidate extends { readonly code: string }>(
  candidates: readonly Candidate[],
  screening: Screening,
  failures: Failures,
): Promise<ScreenedAll<Candidate>> {
  const { task, checks } = screening;
  const rejected = checks.map(() => 0);
  if (checks.length === 0) return { left: candidates, isComplete: true, trials: [], rejected };
  const programs = candidates.flatMap(({ code }) => (failures.has(code) ? [] : [code]));
  // To compile all of them would cost more than a ranking.
  const tried = isCompiled(task.language) ? nothingTried : await trierOf(screening)(programs, ALL_SECONDS);
  keepFailures(failures, programs, tried.trials);
  const passed = new Map(tried.trials.map((trial, index) => [programs[index] ?? '', trial]));
  countMissed(
    rejected,
    candidates.flatMap(({ code }) => failures.get(code) ?? []),
  );
  return {
    left: candidates.filter(({ code }) => !failures.has(code)),
    isComplete: tried.trials.length >= programs.length,
    trials: candidates.map(({ code }) => failures.get(code) ?? passed.get(code)),
    rejected,
  };
}

const nothingTried: Prescreened = { trials: [], survived: false };

/** How programs are tried on the checks: up to the first that passes, or all within a number of seconds. */
function trierOf({ parser, sandbox, task, checks, clock, signal }: Screening) {
  const suite = checks.map(({ code }) => `${code}\n`).join('');
  return async (programs: readonly string[], allWithin?: number): Promise<Prescreened> =>
    isCompiled(task.language)
      ? await judgePrograms(sandbox, task, programs, suitesOf(task, checks), { clock, signal })
      : await prescreenPrograms(parser, sandbox, task, programs, suite, { clock, signal, allWithin });
}

function keepFailures(failures: Failures, programs: readonly string[], trials: readonly Trial[]): void {
  for (const [index, trial] of trials.entries()) {
    if (trial.missed !== -1) failures.set(programs[index] ?? '', trial);
  }
}

/** Programs that failed a check of a task, and would fail again when more is known. */
export type Failures = Map<string, Trial>;

/** Processor time: for a task whose examples take longer, only the likeliest candidates are tried. */
const ALL_SECONDS = 5;

function countMissed(rejected: number[], trials: readonly Trial[]): void {
  for (const { missed } of trials) {
    if (missed === -1) continue;
    const check = Math.min(Math.max(missed, 0), rejected.length - 1);
    rejected[check] = (rejected[check] ?? 0) + 1;
  }
}
