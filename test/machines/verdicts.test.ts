import { expect, test } from 'vitest';
import type { VerdictKind } from '../../lib/core/verdict.ts';
import { indexToImprove } from '../../machines/verdicts.ts';

function attempt(passed: number | null, kind: VerdictKind = 'failed', repeated = false) {
  const verdict = { kind, message: '' };
  return { verdict, repeated, ...(passed !== null && { counts: { passed, failed: 1, failing: [] } }) };
}

test.each([
  ['the last of equal ones', [attempt(2), attempt(2)], 1],
  ['the last, if it passes more', [attempt(2), attempt(3)], 1],
  ['an earlier one that passes more', [attempt(1), attempt(3), attempt(2)], 1],
  ['the last, if it could not be counted', [attempt(3), attempt(null, 'timeout')], 1],
  ['the last, if it cannot be run', [attempt(3), attempt(null, 'syntax')], 1],
  ['the last, if it repeats an earlier one', [attempt(3), attempt(2, 'failed', true)], 1],
  ['none', [], -1],
])('the next prompt is about %s', (_, attempts, index) => {
  expect(indexToImprove(attempts)).toBe(index);
});
