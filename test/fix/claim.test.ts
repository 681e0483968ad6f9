import { expect, test } from 'vitest';
import { unsureKind } from '../../lib/fix/claim.ts';
import { isWritten } from '../../lib/fix/report.ts';

/** The body of a function before and after, and what the change is called; null for a repair. */
test.each([
  ['return self.path', 'return self.fragment', 'exchanges a variable'],
  ['return walk(index)', 'return walk(number)', 'exchanges a variable'],
  ['return first(items)', 'return last(items)', 'exchanges a function'],
  ["open('w')", "open('a')", 'changes a value that neither tests nor documentation name'],
  ["return re.match('[0-8]+', text)", "return re.match('[0-9]+', text)", 'changes a pattern'],
  ['return /[a-y]/.test(text)', 'return /[a-z]/.test(text)', 'changes a pattern'],
  [
    'return f(\n      /\\w+/g,\n      text,\n    )',
    'return f(\n      /\\w{2,}/g,\n      text,\n    )',
    'changes a pattern',
  ],
  ['return name.title()', 'return name.upper()', 'converts to text or to another case'],
  ['return "-".join(items)', 'return "-".join(map(str, items))', null],
  ['return "a" + size', 'return "a" + str(size)', 'converts to text or to another case'],
  ['a = 1\n    b = 2', 'b = 2\n    a = 1', 'moves statements'],
  ['return second < now', 'return second == now', 'turns a condition into == or !='],
  ['return second == now', 'return second != now', 'negates a comparison'],
  ['return second !== now', 'return second === now', 'negates a comparison'],
  ['return age > limit', 'return age >= limit', null],
  ['return size * 17', 'return size * 42', 'changes a value that neither tests nor documentation name'],
  ['return size or flag', 'return size and flag', 'swaps and with or'],
  ['log(size)\n    return size', 'return size', 'drops statements'],
  [
    'try:\n        a()\n    except A:\n        pass',
    'try:\n        a()\n    except (A, B):\n        pass',
    null,
  ],
  ['return size', 'return size or flag', null],
  ['return f(size, *args)', 'return f(size, *args, key=size)', 'adds an argument'],
  ['return f(size)', 'return f(size, 1)', 'adds an argument'],
  ['return isinstance(size, (int, str))', 'return isinstance(size, (int, str, bytes))', null],
  ['return size', 'if not size:\n        return None\n    return size', 'returns nothing early'],
  ['return size', "if not size:\n        return ''\n    return size", null],
  ['return size + 2', 'return size * 2', null],
  ['return split(item)', "return split(item) if item else ''", 'makes a value conditional'],
  ['return item.size;', 'return item ? item.size : 0;', 'makes a value conditional'],
  ['return item.size', 'return item?.size', null],
  ['return size if size else lo(0)', 'return size if size else lo(size)', null],
  ['return word[:-1]', 'return word', 'adds or drops an index or slice'],
  ['return items[0][1]', 'return items[0]', 'adds or drops an index or slice'],
  ['return lookup(key)', 'return lookup(key[0])', 'adds or drops an index or slice'],
  ['return word[:-1]', 'return word[1:]', null],
  ['return lookup()', 'return lookup([1])', null],
  ['return total', 'if not total:\n        return 0\n    return total', null],
])('%j → %j: %s', (before, after, kind) => {
  const file = (body: string): string => `def f(size):\n    ${body}\n\n\ndef other():\n    return None\n`;
  expect(unsureKind(file(before), file(after))).toBe(kind);
});

const file = (body: string): string => `def f(size):\n    ${body}\n`;

test('a value that tests or documentation name may take the place of another', () => {
  const kindWith = (said: string, value: string) =>
    unsureKind(file("return f(17, 'a b')"), file(value), { mutants: null, said });
  expect(kindWith('is 42 at most', "return f(42, 'a b')")).toBe(null);
  expect(kindWith('is 420 at most', "return f(42, 'a b')")).toMatch(/^changes a value/);
  expect(kindWith("== 'a c'", "return f(17, 'a c')")).toBe(null);
  expect(kindWith('anything', "return f(17, 'a ')")).toMatch(/^changes a value/);
});

test('tests that reject nearly all other edits of the expression decide on some kinds, not on all', () => {
  const kindWith = (tried: number, rejected: number, after: string) =>
    unsureKind(file('return a or b'), file(after), { mutants: { tried, rejected }, said: '' });
  expect(kindWith(16, 14, 'return a and b')).toBe(null);
  expect(kindWith(16, 13, 'return a and b')).toBe('swaps and with or');
  expect(kindWith(5, 5, 'return a and b')).toBe('swaps and with or');
  expect(kindWith(16, 16, 'return a or c')).toBe('exchanges a variable');
  const negated = (rejected: number) =>
    unsureKind(file('return a === b'), file('return a !== b'), {
      mutants: { tried: 16, rejected },
      said: '',
    });
  expect(negated(14)).toBe(null);
  expect(negated(13)).toBe('negates a comparison');
});

test('each of several changed places is judged', () => {
  const both = (one: string, other: string): string =>
    `def f(a, b):\n    return ${one}\n\n\ndef g(a, b):\n    return ${other}\n`;
  expect(unsureKind(both('a + b', 'a'), both('a * b', 'b'))).toBe('exchanges a variable');
  expect(unsureKind(both('a + b', 'a - b'), both('a * b', 'a + b'))).toBe(null);
});

test.each([
  ['repaired', false, [true, true]],
  ['unsure', false, [false, true]],
  ['partly', false, [true, true]],
  ['partly', true, [false, false]],
] as const)(
  '--write and --write unsure write what is %s, with a partial repair: %j',
  (outcome, isPartial, expected) => {
    const place = { kind: 'function', file: 'a.py', function: 'f', line: 1, origin: 'edit' } as const;
    const report = { outcome, repairs: [isPartial ? { ...place, isPartial } : place] };
    expect([isWritten(report, true), isWritten(report, 'unsure')]).toEqual(expected);
    expect(isWritten(report, false)).toBe(false);
  },
);
