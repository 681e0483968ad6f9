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
        : await prescreenPrograms(parser, sandbox, task, left, suite, clock, signal);
    held.push(...prescreened.held);
    for (const missed of prescreened.survived ? prescreened.missed.slice(0, -1) : prescreened.missed) {
      const check = Math.min(Math.max(missed, 0), checks.length - 1);
      rejected[check] = (rejected[check] ?? 0) + 1;
    }
    const survivor = candidates[held.length - 1];
    if (!prescreened.survived || !survivor) break;
    if (await mayBeHandedIn(survivor)) return { agreeing: survivor, held, rejected, barred };
    barred++;
  }
  return { agreeing: null, held, rejected, barred };
}
