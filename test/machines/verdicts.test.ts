import { expect, test } from 'vitest';
import type { VerdictKind } from '../../lib/core/verdict.ts';
import { failureOf, finalCandidate, indexToImprove, isUnrunnable } from '../../machines/verdicts.ts';

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

test.each([
  ['no-code', false, 'malformed'],
  ['no-code', true, 'malformed'],
  ['syntax', false, 'unrunnable'],
  ['signature', false, 'unrunnable'],
  ['edit-not-applicable', false, 'unrunnable'],
  ['syntax', true, 'repeated'],
  ['failed', true, 'repeated'],
  ['failed', false, 'failed'],
  ['timeout', false, 'failed'],
] as const)('the prompt after %s, repeated: %s, is for an answer that is %s', (kind, repeated, failure) => {
  expect(failureOf(attempt(null, kind, repeated))).toBe(failure);
});

test('before any attempt, and without a verdict, nothing says that a candidate cannot be run', () => {
  expect(failureOf(undefined)).toBe('failed');
  expect(failureOf({ verdict: null })).toBe('failed');
  expect(isUnrunnable({ verdict: null })).toBe(false);
});

test('without tests, the answer is the last candidate that can be run and changes the function', () => {
  const judged = (candidate: string | null, kind: VerdictKind | null, unchanged = false) => ({
    candidate,
    verdict: kind && { kind, message: '' },
    unchanged,
  });
  const [first, second] = [judged('a', null), judged('b', 'failed')];
  expect(finalCandidate([first, second])).toBe('b');
  expect(finalCandidate([first, judged('b', 'syntax'), judged(null, 'no-code')])).toBe('a');
  expect(finalCandidate([first, judged('buggy', null, true)])).toBe('a');
  expect(finalCandidate([judged('buggy', null, true), judged('c', 'syntax')])).toBe('buggy');
  expect(finalCandidate([judged('c', 'syntax')])).toBeNull();
  expect(finalCandidate([])).toBeNull();
});
