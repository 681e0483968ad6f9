import { expect, test } from 'vitest';
import { withAnyObject } from '../../../lib/fix/repair/any-object.ts';

test.each([
  ['a value', 'python', 'if f(a, b):', 'if f(c, b):', 'if f(object(), b):'],
  ['a condition', 'python', 'if not a:', 'if not abc:', 'if not object():'],
  ['a name that begins as the other', 'python', 'x = size', 'x = sizes', 'x = object()'],
  ['a function that is called', 'python', 'return f(a)', 'return g(a)', 'return (lambda *_, **__: None)(a)'],
  ['an object with members', 'js', 'return a.size;', 'return b.size;', 'return ({}).size;'],
  ['a function in JavaScript', 'js', 'return f(a);', 'return g(a);', 'return (() => undefined)(a);'],
])('any object takes the place of an exchanged name: %s', (_, language, before, after, expected) => {
  expect(withAnyObject(before, after, language)).toBe(expected);
});

test.each([
  ['an operator', 'if a < b:', 'if a <= b:'],
  ['a number', 'return a + 1', 'return a + 2'],
  ['a literal', 'f(a, True)', 'f(a, False)'],
  ['an attribute', 'return a.x', 'return a.y'],
  ['the name of an argument', 'f(key=a)', 'f(name=a)'],
  ['what is assigned to', 'a = c', 'b = c'],
  ['a longer expression', 'return a', 'return a + b'],
  ['a name that is taken away', 'return a, b', 'return b'],
])('other changes have no such counterpart: %s', (_, before, after) => {
  expect(withAnyObject(before, after, 'python')).toBeNull();
});
