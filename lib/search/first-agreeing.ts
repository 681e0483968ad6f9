import type { Check } from '../core/attempt.ts';
import type { Sandbox } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import { prescreenPrograms } from './prescreen.ts';
import type { SearchClock } from './search-clock.ts';

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
  /** Number of checks passed, for each candidate that was run. */
  readonly held: readonly number[];
  /** How many candidates failed each check first. */
  readonly rejected: readonly number[];
  /** How many pass all checks but may not be proposed. */
  readonly barred: number;
}

/**
 * Runs candidates on all checks in order, up to the first that passes and may be proposed. Without checks,
 * nothing is run. Ends early at the clock's time limit.
 */
export async function firstAgreeing<Candidate extends { readonly code: string }>(
  candidates: readonly Candidate[],
  mayBeHandedIn: (candidate: Candidate) => Promise<boolean>,
  { parser, sandbox, task, checks, clock, signal }: Screening,
): Promise<Screened<Candidate>> {
  const programs = candidates.map(({ code }) => code);
  const suite = checks.map(({ code }) => `${code}\n`).join('');
  const held: number[] = [];
  const rejected = checks.map(() => 0);
  let barred = 0;
  while (held.length < candidates.length) {
    const left = programs.slice(held.length);
    const prescreened =
      checks.length === 0
        ? { held: [0], missed: [-1], survived: true }
        : await prescreenPrograms(parser, sandbox, task, left, suite, { clock, signal });
    held.push(...prescreened.held);
    countMissed(rejected, prescreened.missed);
    const survivor = candidates[held.length - 1];
    if (!prescreened.survived || !survivor) break;
    if (await mayBeHandedIn(survivor)) return { agreeing: survivor, held, rejected, barred };
    barred++;
  }
  return { agreeing: null, held, rejected, barred };
}

/** The result of running all candidates on the checks. */
export interface ScreenedAll<Candidate> {
  /** Those that pass all checks, and those that there was no time for, in their order. */
  readonly left: readonly Candidate[];
  /** Whether there was time for all. */
  readonly isComplete: boolean;
  /** Number of checks passed per candidate; undefined if there was no time for it. */
  readonly held: readonly (number | undefined)[];
  readonly rejected: readonly number[];
}

/**
 * Runs all candidates on all checks, as far as time allows: ranking the few that remain costs a model less
 * than ranking all. Without checks, nothing is run; candidates that failed before are not run again.
 */
export async function allAgreeing<Candidate extends { readonly code: string }>(
  candidates: readonly Candidate[],
  { parser, sandbox, task, checks, clock, signal }: Screening,
  failures: Failures,
): Promise<ScreenedAll<Candidate>> {
  const rejected = checks.map(() => 0);
  if (checks.length === 0) return { left: candidates, isComplete: true, held: [], rejected };
  const programs = candidates.flatMap(({ code }) => (failures.has(code) ? [] : [code]));
  const suite = checks.map(({ code }) => `${code}\n`).join('');
  const options = { clock, signal, allWithin: ALL_SECONDS };
  const tried = await prescreenPrograms(parser, sandbox, task, programs, suite, options);
  const passed = new Map<string, number>();
  for (const [place, code] of programs.slice(0, tried.held.length).entries()) {
    const [held = 0, missed = 0] = [tried.held[place], tried.missed[place]];
    if (missed === -1) passed.set(code, held);
    else failures.set(code, { held, missed });
  }
  countMissed(
    rejected,
    candidates.flatMap(({ code }) => failures.get(code)?.missed ?? []),
  );
  return {
    left: candidates.filter(({ code }) => !failures.has(code)),
    isComplete: tried.held.length >= programs.length,
    held: candidates.map(({ code }) => failures.get(code)?.held ?? passed.get(code)),
    rejected,
  };
}

/**
 * Programs that failed a check of a task, and would fail again when more is known: the number of checks
 * passed, and the first that failed.
 */
export type Failures = Map<string, { readonly held: number; readonly missed: number }>;

/** Processor time: for a task whose examples take longer, only the likeliest candidates are tried. */
const ALL_SECONDS = 5;

function countMissed(rejected: number[], missed: readonly number[]): void {
  for (const index of missed) {
    if (index === -1) continue;
    const check = Math.min(Math.max(index, 0), rejected.length - 1);
    rejected[check] = (rejected[check] ?? 0) + 1;
  }
}
