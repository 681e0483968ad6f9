import { createContext, Script } from 'node:vm';
import { expect, test } from 'vitest';
import { instrumented } from '../../../lib/fix/runners/instrumented.ts';
import { openParser, openTypeScriptParser } from '../../../lib/syntax/parser.ts';

const parser = await openParser('js');

function run(code: string): { readonly value: unknown; readonly places: readonly string[] } {
  const places: string[] = [];
  const context = createContext({ __hefix: (place: string) => places.push(place) });
  const value = new Script(instrumented(parser, 'a.js', code) ?? '').runInContext(context) as unknown;
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
  expect(instrumented(parser, 'a.js', code)?.split('\n')).toHaveLength(code.split('\n').length);
});

test('nested arrow functions and loops without braces keep their meaning', () => {
  const code = `const add = a => b => a + b;
function count(rows) {
  let found = 0
  for (const row of rows) for (const cell of row) if (cell) found = add(found)(1)
  do found--; while (found > 9)
  return found
}
count([[1, 0], [1, 1]]);`;
  expect(run(code).value).toBe(2);
});

test('names declared after a comment stay with their `let`', () => {
  const code = `function swapped(a, b) {
  let // to swap two values
    t
  t = a; a = b; b = t;
  return [a, b];
}
swapped(1, 2);`;
  expect(run(code).value).toEqual([2, 1]);
});

test('code runs as before where nothing records it', () => {
  const code = instrumented(parser, 'a.js', 'const f = x => { return x + 1; };\nf(1);') ?? '';
  expect(new Script(code).runInContext(createContext({}))).toBe(2);
});

test('TypeScript keeps its types, and declarations stay as they are', async () => {
  const code = `export class Cart<T> {
  private total(prices: number[], by?: string): number {
    interface Row { price: number }
    type Rows = Row[];
    const sum = (a: number, b: number) => a + b
    return prices.reduce(sum, 0) as number;
  }
}`;
  const typed = instrumented(await openTypeScriptParser(false), 'a.ts', code) ?? '';
  expect(typed.match(/a\.ts:\d/g)).toEqual(['a.ts:5', 'a.ts:5', 'a.ts:6']);
  expect(
    typed
      .replace(/;?\(\(globalThis as any\)\.__hefix&&\(globalThis as any\)\.__hefix\("a\.ts:\d"\)\)[;,]/g, '')
      .replace(/\((a \+ b)\)/, '$1'),
  ).toBe(code);
});

test('leaves invalid programs unchanged', () => {
  expect(instrumented(parser, 'a.js', 'function (')).toBeNull();
});
