import { expect, test } from 'vitest';
import { isOnlyAdded } from '../../../lib/fix/patch/unified-diff.ts';

test.each([
  ['a test below', 'a\nb\n', 'a\nb\n\nc\n', true],
  ['a test in between', 'a\nb\n', 'a\nc\nb\n', true],
  ['other line endings', 'a\r\nb\r\n', 'a\nb\nc\n', true],
  ['a changed line', 'a\nb\n', 'a\nB\nc\n', false],
  ['a removed line', 'a\nb\n', 'b\nc\n', false],
  ['another order', 'a\nb\n', 'b\na\n', false],
])('%s', (_, before, after, expected) => {
  expect(isOnlyAdded(before, after)).toBe(expected);
});
