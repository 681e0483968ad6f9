import type { RunRecord } from '../../../core/record.ts';
import { keyOf } from '../../../core/record-key.ts';
import { recordsIn } from './follow-shards.ts';

/** The judged record of a task and sample in a file; undefined if it holds none. */
export async function recordIn(path: string, key: string): Promise<RunRecord | undefined> {
  for await (const { record } of recordsIn(path)) {
    if (record.passed !== null && keyOf(record.task_id, record.sample) === key) return record;
  }
  return undefined;
}
