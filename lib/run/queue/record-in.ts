import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { RunRecord } from '../../core/record.ts';
import { keyOf } from '../../core/record-key.ts';
import { parseRecord } from '../../results/parse-records.ts';

/** The judged record of a task and sample in a file; undefined if it holds none. */
export async function recordIn(path: string, key: string): Promise<RunRecord | undefined> {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const record = parseRecord(path, ++line, text);
    if (record.passed !== null && keyOf(record.task_id, record.sample) === key) return record;
  }
  return undefined;
}
