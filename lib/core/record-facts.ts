import type { Attempt } from './attempt.ts';
import type { RunRecord } from './record.ts';
import type { Robust } from './robust.ts';
import type { Verdict } from './verdict.ts';

type Tokens = Pick<Attempt['tokens'], 'prompt' | 'completion'>;

/** The part of an attempt that reports need. */
export interface AttemptFacts extends Pick<Attempt, 'node' | 'iteration' | 'seconds'> {
  /** Empty if no model was asked. */
  readonly prompt: { readonly length: number };
  /** Only compared with the record's `fixed`. */
  readonly candidate: string | null;
  readonly verdict: Pick<Verdict, 'kind'> | null;
  readonly tokens: Tokens;
  readonly diagnosis?: { readonly tokens: Tokens; readonly seconds: number } | undefined;
  readonly selection?: { readonly checks: { readonly length: number } } | undefined;
}

type Kept =
  | 'task_id'
  | 'index'
  | 'sample'
  | 'entry_point'
  | 'bug_type'
  | 'passed'
  | 'judge'
  | 'feedback'
  | 'prompt'
  | 'template'
  | 'iters'
  | 'runtime_sec'
  | 'timings_sec'
  | 'search';

/**
 * What reports and tables need of a record: everything but the long texts, which are nearly all of its bytes. A
 * RunRecord is one.
 */
export interface RecordFacts extends Readonly<Pick<RunRecord, Kept>> {
  readonly verdict: Pick<Verdict, 'kind'> | null;
  readonly example_verdict: Pick<Verdict, 'kind'> | null;
  readonly error: { readonly code: string } | null;
  readonly token_usage: Tokens;
  readonly cached?: (Tokens & { readonly replies: number }) | undefined;
  readonly robust?: Pick<Robust, 'tried' | 'different'> | undefined;
  readonly fixed: string | null;
  readonly attempts: readonly AttemptFacts[];
}
