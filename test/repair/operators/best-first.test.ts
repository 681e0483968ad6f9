import { expect, test } from 'vitest';
import type { Language } from '../../../lib/core/task.ts';
import { oddnessOf } from '../../../lib/repair/operators/best-first.ts';

/** The first occurrence of a part of the code becomes another text. */
function oddness(code: string, part: string, text: string, language: Language = 'python') {
  const start = code.indexOf(part);
  return oddnessOf(code, { start, end: start + part.length, text }, language);
}

test.each([
  ['the operator after a text', "if 'a' == b:", '==', '<'],
  ['the operator before a text', 'if (a === `b`) {', '===', '>='],
  ['a whole condition', 'if (a) {', 'a', 'a && b < "c"'],
])('no text is compared by order that was not before: %s', (_, code, part, text) => {
  expect(oddness(code, part, text)).toBeNull();
});

test.each([
  ['in a condition', 'if isinstance(a, int):', 'isinstance', 'wraps'],
  ['of a class', 'return issubclass(a, B)', 'issubclass', 'len'],
])('no other function is asked in place of a type: %s', (_, code, part, text) => {
  expect(oddness(code, part, text)).toBeNull();
});

test.each([
  [
    'the presence of a truth value',
    'if isinstance(a, int):',
    'isinstance(a, int)',
    'isinstance(a, int) is not None',
  ],
  ['the presence of a result of all()', 'if a and all(b):', 'all(b)', 'all(b) is not None'],
  ['identity with a truth value', 'if a is not None:', 'None', 'False'],
  ['the object itself as a condition', 'if a and b:', 'a', 'self'],
  ['the object itself as a term', 'if (b || a) {', 'a', 'this'],
])('nobody writes that: %s', (_, code, part, text) => {
  expect(oddness(code, part, text)).toBeNull();
});

test.each([
  ['a member of the object itself as a condition', 'if a.b:', 'a', 'self'],
  ['the object itself as an argument', 'f(a, b)', 'a', 'self'],
  ['another question about a type', 'if isinstance(a, int):', 'isinstance', 'issubclass'],
  ['texts compared by order before', "if c > '0':", '>', '>='],
  ['other operators of texts', "if c == 'a':", '==', '!='],
  ['equality with a number', 'if a == 1:', '==', '<'],
  ['order of unknown values', 'if a < b:', '<', '<='],
  ['a text with an operator in it', "x = 'a'", "'a'", "'<b'"],
  ['another number', 'n = 100 - 2', '2', '3'],
  ['a variable for a divisor', 'n = a // 2', '2', 'b'],
  ['another type', 'if isinstance(a, int):', 'isinstance(a, int)', 'isinstance(a, float)'],
  ['another wrapper dropped', 'return str(a)', 'str(a)', 'a'],
])('an edit is plain: %s', (_, code, part, text) => {
  expect(oddness(code, part, text)).toBe('plain');
});

test.each([
  ['in Python', 'if isinstance(a, int):', 'isinstance(a, int)', 'a'],
  ['of an attribute', "if hasattr(a.b, 'c'):", "hasattr(a.b, 'c')", 'a.b'],
  ['in JavaScript', 'if (Array.isArray(a)) {', 'Array.isArray(a)', 'a'],
])('truth instead of a type is odd: %s', (_, code, part, text) => {
  expect(oddness(code, part, text)).toBe('odd');
});

test.each([
  ['in Python', 'if a == b:', '==', '<'],
  ['in JavaScript', 'if (a !== b.c) {', '!==', '<='],
])('order for equality of values that may be no numbers is odd: %s', (_, code, part, text) => {
  expect(oddness(code, part, text)).toBe('odd');
});

test.each([
  ['integer division', 'm = len(a) // 2', '2', '3'],
  ['division', 'm = a / 100', '100', '101'],
  ['remainder', 'if n % 2 == 0:', '2', '3'],
])('another divisor is odd: %s', (_, code, part, text) => {
  expect(oddness(code, part, text)).toBe('odd');
});

test.each([
  ['<', '>'],
  ['>=', '<'],
])('a reversed comparison is odd in Python: %s becomes %s', (old, text) => {
  expect(oddness(`if a ${old} b:`, old, text)).toBe('odd');
  expect(oddness(`if (a ${old} b) {`, old, text, 'js')).toBe('plain');
  expect(oddness(`if a ${old} b:`, old, `${old[0]}${old === '<' ? '=' : ''}`)).toBe('plain');
});
