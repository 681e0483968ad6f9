import { createContext, Script } from 'node:vm';
import { expect, test } from 'vitest';
import { instrumented } from '../../../lib/fix/runners/instrument.ts';

function run(code: string): { readonly value: unknown; readonly places: readonly string[] } {
  const places: string[] = [];
  const context = createContext({ __hefix: (place: string) => places.push(place) });
  const value = new Script(instrumented('a.js', code) ?? '').runInContext(context) as unknown;
  return { value, places };
}

test('counts statements and loop passes, and changes nothing else', () => {
  const code = `const half = x => ({ y: x / 2 }).y;
function sum(values) {
  'use strict';
  let total = 0;
  for (const value of values) total += half(value);
  return total;
}
sum([2, 4]);`;
  const { value, places } = run(code);
  expect(value).toBe(3);
  expect(places).toEqual(expect.arrayContaining(['a.js:1', 'a.js:4', 'a.js:5', 'a.js:6']));
  expect(instrumented('a.js', code)?.split('\n')).toHaveLength(code.split('\n').length);
});

test('leaves invalid programs unchanged', () => {
  expect(instrumented('a.js', 'function (')).toBeNull();
});
