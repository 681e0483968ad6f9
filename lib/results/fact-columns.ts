import type { AttemptFacts, RecordFacts } from '../core/record-facts.ts';
import { flags, integers, numbers, words } from './column.ts';

/** The byte range of a line in its file, without the line end. */
export interface LinePlace {
  readonly start: number;
  readonly length: number;
}

export type RecordColumns = ReturnType<typeof createRecordColumns>;
export type AttemptColumns = ReturnType<typeof createAttemptColumns>;

/** One row per record of a results file. */
export function createRecordColumns() {
  return {
    /** The byte range of its line. */
    start: numbers(),
    length: integers(),
    /** Whether a later record of the same task and sample replaces it. */
    replaced: flags(),
    task_id: words(),
    index: integers(),
    sample: integers(),
    entry_point: words(),
    bug_type: words(),
    passed: flags(),
    judge: words(),
    verdict: words(),
    example_verdict: words(),
    error: words(),
    feedback: words(),
    prompt: words(),
    template: words(),
    iters: integers(),
    runtime_sec: numbers(),
    proposal_sec: numbers(),
    execution_sec: numbers(),
    reflection_sec: numbers(),
    prompt_tokens: integers(),
    completion_tokens: integers(),
    cached_replies: integers(),
    cached_prompt_tokens: integers(),
    cached_completion_tokens: integers(),
    search_tried_on: words(),
    search_candidates: integers(),
    search_tried: integers(),
    search_rank: integers(),
    search_ranked: flags(),
    robust_tried: integers(),
    robust_different: integers(),
    /** Number of attempts. */
    attempts: integers(),
  };
}

/** One row per attempt, in the order of the records. */
export function createAttemptColumns() {
  return {
    /** The row of its record. */
    record: integers(),
    node: words(),
    iteration: integers(),
    verdict: words(),
    /** Whether a model was asked. */
    asked: flags(),
    /** Whether its candidate is the record's final one. */
    final: flags(),
    /** How many checks its candidate was chosen with; null if there was only one answer. */
    checks: integers(),
    prompt_tokens: integers(),
    completion_tokens: integers(),
    proposal_sec: numbers(),
    execution_sec: numbers(),
    prescreen_sec: numbers(),
    diagnosis_prompt_tokens: integers(),
    diagnosis_completion_tokens: integers(),
    diagnosis_sec: numbers(),
  };
}

export function pushRecord(columns: RecordColumns, record: RecordFacts, { start, length }: LinePlace): void {
  const { timings_sec, token_usage, cached, search, robust } = record;
  columns.start.push(start);
  columns.length.push(length);
  columns.replaced.push(false);
  columns.task_id.push(record.task_id);
  columns.index.push(record.index);
  columns.sample.push(record.sample);
  columns.entry_point.push(record.entry_point);
  columns.bug_type.push(record.bug_type);
  columns.passed.push(record.passed);
  columns.judge.push(record.judge);
  columns.verdict.push(record.verdict?.kind ?? null);
  columns.example_verdict.push(record.example_verdict?.kind ?? null);
  columns.error.push(record.error?.code ?? null);
  columns.feedback.push(record.feedback);
  columns.prompt.push(record.prompt);
  columns.template.push(record.template ?? null);
  columns.iters.push(record.iters);
  columns.runtime_sec.push(record.runtime_sec);
  columns.proposal_sec.push(timings_sec.proposal);
  columns.execution_sec.push(timings_sec.execution);
  columns.reflection_sec.push(timings_sec.reflection);
  columns.prompt_tokens.push(token_usage.prompt);
  columns.completion_tokens.push(token_usage.completion);
  columns.cached_replies.push(cached?.replies ?? null);
  columns.cached_prompt_tokens.push(cached?.prompt ?? null);
  columns.cached_completion_tokens.push(cached?.completion ?? null);
  columns.search_tried_on.push(search?.tried_on ?? null);
  columns.search_candidates.push(search?.candidates ?? null);
  columns.search_tried.push(search?.tried ?? null);
  columns.search_rank.push(search?.rank ?? null);
  columns.search_ranked.push(search?.ranked ?? null);
  columns.robust_tried.push(robust?.tried ?? null);
  columns.robust_different.push(robust?.different ?? null);
  columns.attempts.push(record.attempts.length);
}

export function pushAttempt(
  columns: AttemptColumns,
  record: number,
  attempt: AttemptFacts,
  fixed: string | null,
): void {
  const { tokens, seconds, diagnosis } = attempt;
  columns.record.push(record);
  columns.node.push(attempt.node);
  columns.iteration.push(attempt.iteration);
  columns.verdict.push(attempt.verdict?.kind ?? null);
  columns.asked.push(attempt.prompt.length > 0);
  columns.final.push(attempt.candidate === fixed);
  columns.checks.push(attempt.selection?.checks.length ?? null);
  columns.prompt_tokens.push(tokens.prompt);
  columns.completion_tokens.push(tokens.completion);
  columns.proposal_sec.push(seconds.proposal);
  columns.execution_sec.push(seconds.execution);
  columns.prescreen_sec.push(seconds.prescreen ?? null);
  columns.diagnosis_prompt_tokens.push(diagnosis?.tokens.prompt ?? null);
  columns.diagnosis_completion_tokens.push(diagnosis?.tokens.completion ?? null);
  columns.diagnosis_sec.push(diagnosis?.seconds ?? null);
}
