import type { Attempt, Check, Selection } from '../lib/core/attempt.ts';
import type { Candidate, Combination, Comparison, Enumeration, Ranking, Screening, Trial } from './actors.ts';

/**
 * `screened`: candidates were run. `stopped`: time ended that. `ranked`: the model was asked for the order; of the
 * closest, once more. `compared`: those that behave like a program that failed are last. `combined`: pairs were added.
 */
type Step = 'screened' | 'stopped' | 'ranked' | 'compared' | 'combined';

/** The candidates of one prompt and what is known about them: plain data, changed by pure functions. */
export interface Pool {
  readonly candidates: readonly Candidate[];
  /** One a candidate; null if it was not run. */
  readonly trials: readonly (Trial | null)[];
  /** Indices in the order of choosing. */
  readonly order: readonly number[];
  /** Those that pass the most, in the order of choosing; null while one may pass all. */
  readonly closest: readonly number[] | null;
  /** Indices of those that were proposed, or are not new, or cannot be run. */
  readonly taken: readonly number[];
  /** Number of those that pass but are not new, or cannot be run. */
  readonly barred: number;
  readonly unusable: number;
  readonly checks: readonly Check[];
  /** Whether the buggy program passes all checks. */
  readonly passesUnchanged: boolean;
  /** Whether nothing is known that candidates could be run on. */
  readonly isUnchecked: boolean;
  /** The steps that were taken. */
  readonly done: readonly Step[];
  /** At which the order was drawn; null if the model ranked nothing. */
  readonly temperature: number | null;
  /** What the model was asked to rank; empty if it ranked nothing. */
  readonly prompt: Attempt['prompt'];
  /** Tokens of the rankings since the last proposal. */
  readonly tokens: { readonly prompt: number; readonly completion: number };
}

export const noTokens = { prompt: 0, completion: 0 } as const;

export const emptyPool: Pool = {
  candidates: [],
  trials: [],
  order: [],
  closest: null,
  taken: [],
  barred: 0,
  unusable: 0,
  checks: [],
  passesUnchanged: false,
  isUnchecked: false,
  done: [],
  temperature: null,
  prompt: [],
  tokens: noTokens,
};

/** Candidates that failed before, by `keyOf`: they would fail again when more is known. */
export type Failures = Readonly<Record<string, Trial>>;

/** @param isUnchecked whether nothing may be run: all candidates count as passing */
export function poolOf(
  { candidates, unusable }: Omit<Enumeration, 'time'>,
  failures: Failures,
  isUnchecked: boolean,
): Pool {
  const trials = candidates.map(each => failures[keyOf(each)] ?? (isUnchecked ? unchecked : null));
  return {
    ...emptyPool,
    candidates,
    unusable,
    trials,
    isUnchecked,
    order: candidates.map((_, index) => index),
  };
}

/** Of a candidate that nothing is known to run on: it counts as passing. */
export const unchecked: Trial = {
  outcome: 'passed',
  assertionsPassed: 0,
  firstFailing: null,
  overran: false,
};

/** Of a candidate that did not come to its first assertion in time. */
export const unfinished: Trial = { outcome: 'failed', assertionsPassed: 0, firstFailing: 0, overran: true };

export function withSample(pool: Pool, answer: string): Pool {
  const rank = pool.candidates.length + 1;
  const sample = { code: null, answer, origin: { kind: 'sample', rank, of: rank } } as const;
  const candidates = [...pool.candidates, sample];
  return { ...pool, candidates, trials: [...pool.trials, null], order: [...pool.order, rank - 1] };
}

/** Those not run yet, up to the next one that passes. */
export function untried({ order, trials, taken }: Pool): number[] {
  const first = order.findIndex(index => trials[index] === null);
  if (first === -1) return [];
  const rest = order.slice(first);
  const passing = rest.findIndex(index => isPassing(trials[index]) && !taken.includes(index));
  return (passing === -1 ? rest : rest.slice(0, passing)).filter(index => trials[index] === null);
}

/** @param asked indices of the candidates that were to be run, and whether these are all */
export function withTrials(
  pool: Pool,
  { asked, isAll }: { readonly asked: readonly number[]; readonly isAll: boolean },
  screening: Screening,
): Pool {
  const trials = [...pool.trials];
  for (const [index, candidate] of asked.entries()) trials[candidate] = screening.trials[index] ?? null;
  const isShort = screening.trials.length < asked.length && !isPassing(screening.trials.at(-1));
  const { checks, isEmpty: isUnchecked, passesUnchanged = pool.passesUnchanged } = screening;
  const before = pool.done.filter(step => step !== 'stopped');
  const done = withStep(isShort && !isAll ? [...before, 'stopped'] : before, 'screened');
  return { ...pool, trials, checks, isUnchecked, passesUnchanged, done };
}

/** @param withPassing whether those that passed are kept too, since no more will be known of them */
export function failuresIn({ candidates, trials }: Pool, withPassing: boolean): Failures {
  const failed = candidates.flatMap((candidate, index) => {
    const trial = trials[index];
    const isKept = trial && (trial.outcome === 'failed' || (withPassing && isPassing(trial)));
    return isKept ? [[keyOf(candidate), trial] as const] : [];
  });
  return Object.fromEntries(failed);
}

function keyOf({ code, answer }: Candidate): string {
  return answer ?? code ?? '';
}

/** Those that failed are out before the model ranks the others. */
export function remaining({ closest, order, trials }: Pool): readonly number[] {
  return closest ?? order.filter(index => trials[index] === null || isPassing(trials[index]));
}

export function withRanking(pool: Pool, { order, temperature, prompt, tokens }: Ranking): Pool {
  const ranked = remaining(pool);
  const sorted = order.flatMap(index => ranked[index] ?? []);
  return {
    ...pool,
    ...(pool.closest ? { closest: sorted } : { order: sorted }),
    done: withStep(pool.done, 'ranked'),
    temperature: temperature ?? pool.temperature,
    prompt: prompt.length > 0 ? prompt : pool.prompt,
    tokens: {
      prompt: pool.tokens.prompt + tokens.prompt,
      completion: pool.tokens.completion + tokens.completion,
    },
  };
}

export function withPairs(pool: Pool, { pairs }: Pick<Combination, 'pairs'>): Pool {
  const first = pool.candidates.length;
  return {
    ...pool,
    candidates: [...pool.candidates, ...pairs],
    trials: [...pool.trials, ...pairs.map(() => null)],
    order: [...pool.order, ...pairs.map((_, index) => first + index)],
    done: withStep(pool.done, 'combined'),
  };
}

/** Those to choose from now: the closest, or those before the first that was not run. */
export function choosable({ closest, order, trials, taken }: Pool): number[] {
  if (closest) return closest.filter(index => !taken.includes(index));
  const end = order.findIndex(index => trials[index] === null && !taken.includes(index));
  const tried = end === -1 ? order : order.slice(0, end);
  return tried.filter(index => isPassing(trials[index]) && !taken.includes(index));
}

/**
 * Those to compare with programs that failed, likeliest first; none unless one of these passes all that is known.
 * @param failed the programs that were judged
 */
export function comparable(pool: Pool, failed: readonly string[]): number[] {
  const isDue = pool.done.includes('screened') && !pool.done.includes('compared');
  if (!isDue || pool.closest !== null || pool.isUnchecked) return [];
  const isFailedPassing = (index: number) =>
    isPassing(pool.trials[index]) && failed.includes(pool.candidates[index]?.code ?? '');
  if (!pool.passesUnchanged && !pool.candidates.some((_, index) => isFailedPassing(index))) return [];
  const candidates = choosable(pool).filter(index => !isFailedPassing(index));
  return candidates.length > 1 ? candidates.slice(0, MAX_COMPARED) : [];
}

const MAX_COMPARED = 30;

/** Those that do the same as a program that failed come last. */
export function withComparison(
  pool: Pool,
  asked: readonly number[],
  { alike }: Pick<Comparison, 'alike'>,
): Pool {
  const last = asked.filter((_, index) => alike[index]);
  const order = [...pool.order.filter(index => !last.includes(index)), ...last];
  return { ...pool, order, done: withStep(pool.done, 'compared') };
}

/** Those looked at are not looked at again. @param from what was chosen from @param chosen index in it, or null */
export function withChoice(pool: Pool, from: readonly number[], chosen: number | null): Pool {
  const looked = chosen === null ? from : from.slice(0, chosen + 1);
  const barred = pool.closest ? 0 : looked.length - (chosen === null ? 0 : 1);
  return { ...pool, taken: [...pool.taken, ...looked], barred: pool.barred + barred };
}

/**
 * If none passes all checks: so many candidates that pass the most, with all that pass as many as the last of them.
 * Those that were not tried because of the time limit come first if the model ranks them, otherwise last. Those that do not
 * end are left out unless there are no others: they would only run until the tests' time limit.
 * @param enough more than one if the model ranks them
 */
export function withClosest(pool: Pool, enough: number): Pool {
  const { order, candidates, trials, taken } = pool;
  const isRanked = enough > 1;
  // Of those that are ranked as a whole, the order is the model's.
  const all = isRanked ? candidates.map((_, index) => index) : order.filter(index => !taken.includes(index));
  const ending = all.filter(index => !trials[index]?.overran);
  const eligible = ending.length > 0 ? ending : all;
  const untriedMerit = isRanked ? Number.POSITIVE_INFINITY : 0;
  const merit = (index: number) => trials[index]?.assertionsPassed ?? untriedMerit;
  const sorted = eligible.toSorted((a, b) => (merit(a) === merit(b) ? 0 : merit(b) - merit(a)));
  const last = sorted[enough - 1];
  const closest = last === undefined ? sorted : sorted.filter(index => merit(index) >= merit(last));
  const done = pool.done.filter(step => step !== 'ranked');
  return { ...pool, closest, done: isRanked ? done : withStep(done, 'ranked') };
}

/** Of samples, the one that passes the most checks; the first one if none can be run. */
export function bestSample({ trials }: Pool): number {
  const passed = trials.map(trial => (trial && trial.outcome !== 'not run' ? trial.assertionsPassed : -1));
  return Math.max(0, passed.indexOf(Math.max(...passed)));
}

/** How a candidate was selected, for the record. */
export function selectionOf(pool: Pool, index: number, isTimeUp: boolean): Selection | null {
  const candidate = pool.candidates[index];
  if (!candidate) return null;
  const { trials, checks, unusable, barred } = pool;
  const { kind, rank } = candidate.origin;
  const isSample = ({ origin }: Candidate) => origin.kind === 'sample';
  const of = isSample(candidate) ? pool.candidates.filter(isSample).length : candidate.origin.of;
  const agrees = pool.closest === null && isPassing(trials[index]);
  const last = checks.length - 1;
  return {
    origin: { kind, rank, of },
    ranked: pool.prompt.length > 0,
    left_out: unusable + barred + trials.filter(trial => trial?.outcome === 'not run').length,
    checks: checks.map((check, index) => ({
      ...check,
      rejected: trials.filter(trial => isFirstFailing(trial, index, last)).length,
    })),
    agrees,
    time_up: !agrees && isTimeUp,
  };
}

function withStep(done: readonly Step[], step: Step): readonly Step[] {
  return done.includes(step) ? done : [...done, step];
}

export function isPassing(trial: Trial | null | undefined): boolean {
  return trial?.outcome === 'passed';
}

/** Where no assertion is said to fail, it is the last one that there is. */
function isFirstFailing(trial: Trial | null, index: number, last: number): boolean {
  return trial?.firstFailing != null && Math.min(trial.firstFailing, last) === index;
}
