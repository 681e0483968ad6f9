import { expect, test } from 'vitest';
import { keepsPassing, passedOf } from '../../../lib/fix/repair/trial.ts';

test('tests may share a name, and pass if all of them do', () => {
  const [one, other] = [{ id: 'a.ts > adds', outcome: 'passed' } as const, { id: 'a.ts > ends' } as const];
  const report = (outcome: 'passed' | 'failed') => ({
    tests: [one, one, { ...other, outcome }, { ...other, outcome: 'passed' as const }],
    fault: null,
  });
  const both = new Set([one.id, other.id]);
  expect(keepsPassing(report('passed'), both)).toBe(true);
  expect(keepsPassing(report('failed'), both)).toBe(false);
  expect(passedOf(report('failed'), both)).toEqual([one.id]);
});
