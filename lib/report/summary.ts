import type { RunRecord } from '../run/record.ts';
import { bugTypes } from '../task.ts';
import { verdictKinds } from '../verdict.ts';
import { type Share, wilson } from './interval.ts';

interface Count {
  readonly tasks: number;
  readonly solved: number;
}

/** What a results file comes to. Broken runs are in `errors` and in no other figure but tokens and seconds. */
export interface Summary {
  /** Runs that were judged: tasks times samples. */
  readonly tasks: number;
  readonly solved: number;
  /** Share of runs whose draft passed, before any feedback; null if nothing was judged. */
  readonly pass_at_1: Share | null;
  /** Share of runs solved within so many repair iterations, with test feedback; the first is the draft alone. */
  readonly with_test_feedback: readonly (Share & { readonly iterations: number; readonly solved: number })[];
  readonly by_bug_type: Readonly<{ [bugType: string]: Count }>;
  /** Of the last attempts. */
  readonly by_verdict: Readonly<{ [verdict: string]: number }>;
  readonly errors: { readonly runs: number; readonly by_code: Readonly<{ [code: string]: number }> };
  readonly tokens: { readonly prompt: number; readonly completion: number };
  /** Answers among these that were kept from earlier requests. */
  readonly cached_replies: number;
  /** Of the answers that were not, in the currency of the prices; null without prices. */
  readonly cost: number | null;
  readonly seconds: { readonly total: number; readonly model: number; readonly execution: number };
  /** Completion tokens per second of the model's time; null if it took none. */
  readonly tokens_per_second: number | null;
}

/** What a million tokens cost. */
export interface Prices {
  readonly prompt: number;
  readonly completion: number;
}

/** `iterations` is the budget that the runs had; the curve goes so far even if none used it up. */
export function summarise(
  records: readonly RunRecord[],
  iterations: number,
  prices: Prices | null = null,
): Summary {
  const judged = records.filter(record => record.passed !== null);
  const broken = records.filter(record => record.passed === null);
  const solvedWithin = (count: number) => judged.filter(r => r.passed && r.iters <= count).length;
  const model = total(records, r => r.timings_sec.proposal + r.timings_sec.reflection);
  const completion = total(records, r => r.token_usage.completion);
  return {
    tasks: judged.length,
    solved: judged.filter(record => record.passed).length,
    pass_at_1: wilson(solvedWithin(0), judged.length),
    with_test_feedback: Array.from({ length: iterations + 1 }, (_, count) => {
      const solved = solvedWithin(count);
      const share = wilson(solved, judged.length);
      return share === null ? [] : [{ iterations: count, solved, ...share }];
    }).flat(),
    by_bug_type: byBugType(judged),
    by_verdict: tally(
      judged.map(record => record.verdict?.kind ?? 'no-code'),
      verdictKinds,
    ),
    errors: { runs: broken.length, by_code: tally(broken.map(record => record.error?.code ?? 'UNKNOWN')) },
    tokens: { prompt: total(records, r => r.token_usage.prompt), completion },
    cached_replies: total(records, r => r.cached?.replies ?? 0),
    cost: prices && cost(records, prices),
    seconds: {
      total: total(records, r => r.runtime_sec),
      model,
      execution: total(records, r => r.timings_sec.execution),
    },
    tokens_per_second: model === 0 ? null : Math.round((completion / model) * 10) / 10,
  };
}

/** A broken run is in it as far as it is recorded; tries that failed are not. */
function cost(records: readonly RunRecord[], { prompt, completion }: Prices): number {
  const paid = (kind: 'prompt' | 'completion') =>
    records.reduce((sum, r) => sum + r.token_usage[kind] - (r.cached?.[kind] ?? 0), 0);
  // Millionths are a token's worth at a price of one.
  return Math.round(paid('prompt') * prompt + paid('completion') * completion) / 1e6;
}

function byBugType(records: readonly RunRecord[]): Summary['by_bug_type'] {
  const groups = [...bugTypes, null].map(type => {
    const group = records.filter(record => record.bug_type === type);
    return [type ?? 'unknown', { tasks: group.length, solved: group.filter(r => r.passed).length }] as const;
  });
  return Object.fromEntries(groups.filter(([, { tasks }]) => tasks > 0));
}

/** How often each value occurs; keys in the order given, values not in it after those, as they come. */
function tally(values: readonly string[], order: readonly string[] = []): { [value: string]: number } {
  const present = [...order.filter(value => values.includes(value)), ...values];
  return Object.fromEntries([...new Set(present)].map(key => [key, values.filter(v => v === key).length]));
}

/** Milliseconds are as fine as records are. */
function total(records: readonly RunRecord[], value: (record: RunRecord) => number): number {
  return Math.round(records.reduce((sum, record) => sum + value(record), 0) * 1000) / 1000;
}
