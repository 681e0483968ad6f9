import { expect, test } from 'vitest';
import type { RunRecord } from '../../lib/core/record.ts';
import { createErrorCount } from '../../lib/run/errors.ts';

/** The number of tasks after which a run stops whose every n-th task ends in this error. */
function stopsAfter(code: string, every: number, maxErrors = 5): number | null {
  const errors = createErrorCount({ failFast: false, maxErrors }, 'run.jsonl');
  for (let index = 1; index <= 200; index++) {
    const error = index % every === 0 ? { code, message: 'x' } : null;
    const record = { task_id: `set/${index}`, error, attempts: [] } as unknown as RunRecord;
    try {
      errors.check(record);
    } catch {
      return index;
    }
  }
  return null;
}

test('empty answers stop a run from a tenth of its tasks on, also where others lie between them', () => {
  expect(stopsAfter('BACKEND_ANSWER_EMPTY', 3)).toBe(15);
  expect(stopsAfter('BACKEND_ANSWER_EMPTY', 11)).toBeNull();
  expect(stopsAfter('BACKEND_ANSWER_EMPTY', 3, 0)).toBeNull();
  expect(stopsAfter('BACKEND_FAILED', 3)).toBeNull();
});
