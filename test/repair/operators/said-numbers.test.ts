import { expect, test } from 'vitest';
import { enumerateEdits } from '../../../lib/repair/operators/enumerate.ts';
import { noFacts } from '../../../lib/repair/operators/failure-facts.ts';
import { noNames } from '../../../lib/repair/operators/file-names.ts';
import { numbersIn } from '../../../lib/repair/operators/said-numbers.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const parser = await openParser('python');

/** Edits of a function, the likeliest first. @param numbers those of failing tests */
function editsOf(code: string, numbers: readonly string[] = []): string[] {
  const failures = { ...noFacts, numbers };
  const hints = { kind: 'function', names: noNames, failures, weightOf: () => 1 } as const;
  return [...enumerateEdits(parser, code, 'f', 4000, hints)].flatMap(found => found?.code ?? []);
}

function placeOf(edits: readonly string[], line: string): number {
  const place = edits.findIndex(text => text.includes(line));
  expect(place, line).toBeGreaterThanOrEqual(0);
  return place;
}

test('numbers of a text, without names and versions', () => {
  expect(numbersIn('from 18 on, or 2.5, but not x1, 3rd, 0x1F or a.4; 7.')).toEqual(['18', '2.5', '7']);
});

test('a number that the docstring names comes before its neighbours', () => {
  const edits = editsOf('def f(total):\n    """Free from 50 on."""\n    return total >= 60\n');
  expect(placeOf(edits, 'total >= 50')).toBeLessThan(placeOf(edits, 'total >= 61'));
});

test('a comparison changes before a boundary that a test names', () => {
  const edits = editsOf('def f(age):\n    return age > 18\n', ['10', '18']);
  for (const other of ['age > 10', 'age > 17', 'age > 19'])
    expect(placeOf(edits, 'age >= 18')).toBeLessThan(placeOf(edits, other));
});

test('a boundary takes the number of a test before one that nothing names', () => {
  const code = 'def f(age):\n    return age >= 21\n';
  const edits = editsOf(code, ['18']);
  for (const other of ['age >= 22', 'age >= 20', 'age >= 210'])
    expect(placeOf(edits, 'age >= 18')).toBeLessThan(placeOf(edits, other));
  // Without a test that names one, its neighbours come first.
  const unsaid = editsOf(code);
  expect(placeOf(unsaid, 'age >= 22')).toBeLessThan(placeOf(unsaid, 'age >= 210'));
});

test('small boundaries, which stand in most tests, have their neighbours first', () => {
  const edits = editsOf('def f(items):\n    return len(items) > 1\n', ['1', '5']);
  for (const near of ['len(items) > 0', 'len(items) > 2'])
    expect(placeOf(edits, near)).toBeLessThan(placeOf(edits, 'len(items) > 5'));
});

test('numbers of examples and failing tests replace no other number, where they would pass by chance', () => {
  const code = 'def f(x):\n    """Doubles.\n\n    >>> f(47)\n    94\n    """\n    return x + 2\n';
  const edits = editsOf(code, ['47']);
  for (const other of ['x + 47', 'x + 94']) expect(edits.join('')).not.toContain(other);
});
