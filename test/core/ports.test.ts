import { expect, test } from 'vitest';
import { isSolved } from '../../lib/core/ports.ts';

test('with the judge `proven`, a pass in one process does not count', () => {
  const passed = { kind: 'passed' } as const;
  expect(isSolved(passed, 'isolated', 'proven')).toBe(false);
  expect(isSolved(passed, 'isolated', 'auto')).toBe(true);
  expect(isSolved(passed, 'isolated', 'isolated')).toBe(true);
  expect(isSolved(passed, undefined, 'proven')).toBe(true);
  expect(isSolved({ kind: 'failed' }, 'proven')).toBe(false);
});
