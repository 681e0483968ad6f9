import { describe, expect, test } from 'vitest';
import { openParser } from '../../lib/syntax/parser.ts';
import type { Signature } from '../../lib/syntax/program.ts';
import { acceptsSameCalls } from '../../lib/syntax/signature.ts';

const python = await openParser('python');
const javascript = await openParser('js');

function signature(parser: typeof python, code: string): Signature {
  const found = parser.statements(code)[0]?.signature;
  if (!found) throw new Error(`no signature in ${code}`);
  return found;
}

function accepts(declared: string, actual: string, usedNames: readonly string[] = []): boolean {
  const of = (header: string) => signature(python, `${header}\n    pass\n`);
  return acceptsSameCalls(of(declared), of(actual), usedNames);
}

describe('a compatible signature', () => {
  test.each([
    ['unchanged', 'def f(a, b=1):', 'def f(a, b=1):'],
    ['with other annotations', 'def f(a: int) -> int:', 'def f(a):'],
    ['with renamed parameters', 'def f(a, b):', 'def f(x, y):'],
    ['with one more that is optional', 'def f(a):', 'def f(a, memo=None):'],
    ['with a default added', 'def f(a):', 'def f(a=0):'],
    ['with another default', 'def f(a=0):', 'def f(a=1):'],
    ['with any number taken', 'def f(a, b):', 'def f(*args):'],
    ['with anything taken', 'def f(a, *, b):', 'def f(*args, **rest):'],
    ['with an optional keyword more', 'def f(a):', 'def f(a, *, b=1):'],
    ['with a keyword made positional', 'def f(a, *, b):', 'def f(a, b=1):'],
    ['with positional-only parameters', 'def f(a, b):', 'def f(a, b, /):'],
  ])('%s', (_, declared, actual) => {
    expect(accepts(declared, actual)).toBe(true);
  });
});

describe('an incompatible signature', () => {
  test.each([
    ['with a parameter less', 'def f(a, b):', 'def f(a):'],
    ['with a required one more', 'def f(a):', 'def f(a, b):'],
    ['with self', 'def f(a):', 'def f(self, a):'],
    ['with a default lost', 'def f(a, b=1):', 'def f(a, b):'],
    ['made asynchronous', 'def f(a):', 'async def f(a):'],
    ['made synchronous', 'async def f(a):', 'def f(a):'],
    ['with the rest lost', 'def f(*args):', 'def f(args):'],
    ['with a keyword lost', 'def f(a, *, b):', 'def f(a):'],
    ['with a keyword renamed', 'def f(a, *, b):', 'def f(a, *, c=1):'],
    ['with the keywords lost', 'def f(**options):', 'def f():'],
  ])('%s', (_, declared, actual) => {
    expect(accepts(declared, actual)).toBe(false);
  });

  test('a signature with a renamed parameter that a test uses by name', () => {
    const names = python.argumentNames('def check(g):\n    assert g(1, step=2) == 3\n');
    expect(names).toEqual(['step']);
    expect(accepts('def f(a, step):', 'def f(a, by):', names)).toBe(false);
    expect(accepts('def f(a, step):', 'def f(x, step):', names)).toBe(true);
  });
});

test('JavaScript calls may omit arguments, but parameters must stay', () => {
  const declared = signature(javascript, 'const f = (a, b) => a + b;');
  expect(acceptsSameCalls(declared, signature(javascript, 'function f(x, y, memo) { return x; }'))).toBe(
    true,
  );
  expect(acceptsSameCalls(declared, signature(javascript, 'const f = (...all) => all;'))).toBe(true);
  expect(acceptsSameCalls(declared, signature(javascript, 'const f = a => a;'))).toBe(false);
  expect(acceptsSameCalls(declared, signature(javascript, 'const f = async (a, b) => a;'))).toBe(false);
});

test('a lambda has a signature too', () => {
  expect(signature(python, 'f = lambda a, b=1: a + b\n')).toEqual({
    text: 'f = lambda a, b=1',
    asynchronous: false,
    parameters: [
      { name: 'a', kind: 'positional', optional: false },
      { name: 'b', kind: 'positional', optional: true },
    ],
  });
});
