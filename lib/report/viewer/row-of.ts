import { judgedThrough, repairsOf } from '../../core/judged-iterations.ts';
import type { RecordFacts } from '../../core/record-facts.ts';
import { chosenWith } from '../task-runs.ts';
import type { Row } from './view-data.ts';

/** A record in short form. @param line 0-based index of the record in its file */
export function rowOf(record: RecordFacts, line: number): Row {
  const { task_id, index, sample, entry_point, bug_type, passed, runtime_sec } = record;
  const { verdict, error, search, token_usage, attempts } = record;
  return {
    ...{ line, task_id, index, sample, entry_point, bug_type, passed, runtime_sec },
    iters: repairsOf(record),
    verdict: verdict?.kind ?? null,
    search: search?.tried_on ?? null,
    judged_through: passed === null ? judgedThrough(record) : null,
    chosen_with: chosenWith(record),
    error: error?.code ?? null,
    tokens: { prompt: token_usage.prompt, completion: token_usage.completion },
    attempts: attempts.map(attempt => attempt.verdict?.kind ?? null),
  };
}
