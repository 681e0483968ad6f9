import { expect, test } from 'vitest';
import { withAnyObject, withConstantGuard } from '../../../../lib/fix/repair/tests-decide.ts';

test.each([
  ['a value', 'python', 'x = f(a, b)', 'x = f(c, b)', ['x = f(object(), b)', 'x = f(None, b)']],
  ['a name that begins as the other', 'python', 'x = size', 'x = sizes', ['x = object()', 'x = None']],
  [
    'a function that is called',
    'python',
    'return f(a)',
    'return g(a)',
    ['return (lambda *_, **__: True)(a)', 'return (lambda *_, **__: None)(a)'],
  ],
  [
    'an object with members',
    'js',
    'return a.size;',
    'return b.size;',
    ['return ({}).size;', 'return undefined.size;'],
  ],
  [
    'a function in JavaScript',
    'js',
    'return f(a);',
    'return g(a);',
    ['return (() => true)(a);', 'return (() => undefined)(a);'],
  ],
])('any object takes the place of an exchanged name: %s', (_, language, before, after, expected) => {
  expect(withAnyObject(before, after, language)).toEqual(expected);
});

test.each([
  ['in two lines', 'python', 'f()', 'if a:\n    return\nf()', 'if True:\n    return\nf()'],
  ['in one line', 'python', 'f()', 'if a: return 1\nf()', 'if True: return 1\nf()'],
  [
    'before another one',
    'python',
    'if b:\n    c',
    'if a:\n    raise E\nif b:\n    c',
    'if True:\n    raise E\nif b:\n    c',
  ],
  ['in JavaScript', 'js', 'f();', 'if (!a) return g(a);\nf();', 'if (true) return g(a);\nf();'],
])('an added guard always holds: %s', (_, language, before, after, expected) => {
  expect(withConstantGuard(before, after, language)).toBe(expected);
});

test.each([
  ['an operator', 'return a < b', 'return a <= b'],
  ['a number', 'return a + 1', 'return a + 2'],
  ['a literal', 'f(a, True)', 'f(a, False)'],
  ['an attribute', 'return a.x', 'return a.y'],
  ['the name of an argument', 'f(key=a)', 'f(name=a)'],
  ['what is assigned to', 'a = c', 'b = c'],
  ['a longer expression', 'return a', 'return a + b'],
  ['a name that is taken away', 'return a, b', 'return b'],
  ['a condition', 'if a < b:', 'if a <= b:'],
  ['a statement under a condition', 'f(a)', 'if a:\n    f(a)'],
  ['the body of a condition', 'if a:\n    return 1', 'if a:\n    return 2'],
])('other changes have no such counterpart: %s', (_, before, after) => {
  expect(withAnyObject(before, after, 'python')).toEqual([]);
  expect(withConstantGuard(before, after, 'python')).toBeNull();
});
