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

/** What running candidates on the checks gave. */
export interface Screened<Candidate> {
  /** The first that holds all checks and may be handed in. */
  readonly agreeing: Candidate | null;
  /** Checks that held, for each that was run. */
  readonly held: readonly number[];
  /** How many failed each check first. */
  readonly rejected: readonly number[];
  /** How many hold all checks and may not be handed in. */
  readonly barred: number;
}

/**
 * Runs candidates on all checks in their order, up to the first that holds them and may be handed in. Without checks,
 * nothing is run. Ends early when the clock's time is up.
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

/** What running all candidates on the checks gave. */
export interface ScreenedAll<Candidate> {
  /** Those that hold all checks, and those that there was no time for, in their order. */
  readonly left: readonly Candidate[];
  /** Whether there was time for all. */
  readonly isComplete: boolean;
  /** Checks that held, for each candidate; undefined for those that there was no time for. */
  readonly held: readonly (number | undefined)[];
  readonly rejected: readonly number[];
}

/**
 * Runs all candidates on all checks, as far as there is time for it: to put those few in order that are left costs a
 * model less than to put all. Without checks, nothing is run, and what failed before is not run again.
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

/** Programs that failed a check of a task, which they do again when more is known: what they held, and which failed first. */
export type Failures = Map<string, { readonly held: number; readonly missed: number }>;

/** Of the processor: a task whose examples take longer has only the likeliest candidates tried. */
const ALL_SECONDS = 5;

function countMissed(rejected: number[], missed: readonly number[]): void {
  for (const index of missed) {
    if (index === -1) continue;
    const check = Math.min(Math.max(index, 0), rejected.length - 1);
    rejected[check] = (rejected[check] ?? 0) + 1;
  }
}
