import { expect, test } from 'vitest';
import { enumerateEdits } from '../../../lib/repair/operators/enumerate.ts';
import { noFacts, noNames, numbersIn, numbersInName } from '../../../lib/repair/operators/facts.ts';
import { projectEdits } from '../../../lib/repair/operators/operators.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const parser = await openParser('python');

/**
 * Edits of a function, the likeliest first.
 * @param numbers those of failing tests
 * @param otherNumbers those of other calls
 */
function editsOf(
  code: string,
  numbers: readonly string[] = [],
  otherNumbers: readonly string[] = [],
): string[] {
  const failures = { ...noFacts, numbers, otherNumbers };
  return [...enumerateEdits(parser, code, 'f', 4000, hintsOf('function', failures))].flatMap(
    found => found?.code ?? [],
  );
}

const pythonEdits = await projectEdits('python');

function hintsOf(kind: 'function' | 'constant', failures = noFacts) {
  return { kind, names: noNames, failures, weightOf: () => 1, edits: pythonEdits } as const;
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
  for (const other of ['age > 10', 'age >= 10', 'age > 17', 'age > 19'])
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

test('numbers of names are words of their own, above two', () => {
  expect(['top_ten', 'topTen', 'MAX_RETRIES_3', 'first_18', 'firstDozen'].flatMap(numbersInName)).toEqual([
    '10',
    '10',
    '3',
    '18',
    '12',
  ]);
  expect(['x_1', 'base64', 'sha256', 'ten', 'often', 'attend', 'v2_mode'].flatMap(numbersInName)).toEqual([]);
});

test('a number that a name says comes before its neighbours, in any place', () => {
  const named = (name: string, code: string) =>
    [...enumerateEdits(parser, code, name, 4000, hintsOf('function'))].flatMap(found => found?.code ?? []);
  const edits = named('top_ten', 'def top_ten(items):\n    return sorted(items)[:5]\n');
  expect(placeOf(edits, '[:10]')).toBeLessThan(placeOf(edits, '[:6]'));
  const constant = [
    ...enumerateEdits(parser, 'MAX_RETRIES_7 = 2\n', 'MAX_RETRIES_7', 99, hintsOf('constant')),
  ];
  expect(constant.flatMap(found => found?.code ?? [])[0]).toBe('MAX_RETRIES_7 = 7\n');
});

test('a boundary takes the number of the docstring, included or not, before one of a test', () => {
  const code = 'def f(total):\n    """Free from 50 on."""\n    return total > 40\n';
  const edits = editsOf(code, ['45'], ['60']);
  for (const other of ['total > 45', 'total >= 45', 'total > 60', 'total > 39', 'total > 41'])
    for (const said of ['total > 50', 'total >= 50'])
      expect(placeOf(edits, said)).toBeLessThan(placeOf(edits, other));
  const flipped = editsOf(code.replace('total > 40', '40 < total'));
  expect(placeOf(flipped, '50 <= total')).toBeLessThan(placeOf(flipped, '41 < total'));
});

test('a boundary takes the number of another call before one that nothing names', () => {
  const edits = editsOf('def f(age):\n    return age > 10\n', ['17'], ['18']);
  for (const said of ['age > 17', 'age > 18', 'age >= 18'])
    for (const other of ['age > 100', 'age > 0'])
      expect(placeOf(edits, said)).toBeLessThan(placeOf(edits, other));
});

test('no number is added to what is compared with a number', () => {
  const edits = editsOf('def f(total, rate):\n    if total < 60:\n        return 5\n    return rate + 5\n');
  expect(edits.filter(text => /[-+] \d+ < 60/.test(text))).toEqual([]);
  expect(edits.join('')).toContain('total < 59');
});
