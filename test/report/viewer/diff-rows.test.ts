import { expect, test } from 'vitest';
import { diffRows } from '../../../lib/report/viewer/page/data/highlight.ts';

const shown = (before: string, after: string) =>
  diffRows(before, after).map(
    ({ kind, before, after, parts }) =>
      `${before ?? '-'} ${after ?? '-'} ${kind} ${parts.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('')}`,
  );

test('a changed line marks its changed words', () => {
  expect(shown('def f(x):\n    return x + 1\n', 'def f(x):\n    return x - 1\n')).toEqual([
    '1 1 same def f(x):',
    '2 - removed     return x [+] 1',
    '- 2 added     return x [-] 1',
  ]);
});

test('added and removed lines have numbers only on their side', () => {
  expect(shown('a\nc\n', 'a\nb\nc\n')).toEqual(['1 1 same a', '- 2 added b', '2 3 same c']);
  expect(shown('a\nb\nc\n', 'a\nc\n')).toEqual(['1 1 same a', '2 - removed b', '3 2 same c']);
});

test('a missing line end is not a difference', () => {
  expect(shown('a\n', 'a')).toEqual(['1 1 same a']);
});

test('lines with little in common are different lines', () => {
  expect(shown('return total\n', 'raise ValueError\n')).toEqual([
    '1 - removed return total',
    '- 1 added raise ValueError',
  ]);
});
