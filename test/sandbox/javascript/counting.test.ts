import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { createJavaScriptSandbox } from '../../../lib/sandbox/javascript/host/javascript-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createJavaScriptSandbox({ timeoutSeconds: 20 });
});
afterAll(() => sandbox.close());

const wrong = 'function f(n) { if (n === 3) throw new RangeError(n); return n < 5 ? n : 2 * n }\n';
const four = ['f(6) === 12', 'f(1) === 2', 'f(3) === 6', 'f(5) === 10'];
const requireAssert = "const assert = require('node:assert');";
const requireTest = `const { describe, it, test } = require('node:test'); ${requireAssert}`;

test.each([
  ['console.assert', '', four.map(one => `console.assert(${one})`)],
  ['assert', requireAssert, four.map(one => `assert(${one});`)],
  ['without braces', requireAssert, four.map(one => `if (true) assert(${one}); else assert(false);`)],
  ['a function', '', ['const check = () => {', ...four.map(one => `console.assert(${one});`), '}; check()']],
  ['returned', requireAssert, four.map(one => `(() => { return assert(${one}) })();`)],
  ['arrow functions', requireAssert, ['[6, 1, 3, 5]', '.forEach(n =>', '(assert.equal(f(n), 2 * n)))']],
  ['tests', requireTest, four.map((one, at) => `test('${at}', () => { assert(${one}) });`)],
  ['async tests', requireTest, four.map(one => `it('is', async () => { await 0; assert(${one}) });`)],
  [
    'a suite',
    requireTest,
    ["describe('f', () => {", ...four.map(one => `it('is', () => assert(${one}));`), '})'],
  ],
  [
    'promises',
    requireTest,
    four.map(one => `test('is', () => { return assert.doesNotReject(async () => assert(${one})) });`),
  ],
])('assertions are counted after the first failure: %s', async (_name, head, lines) => {
  const { verdict, counts } = await run(wrong, [head, ...lines]);
  expect(verdict.kind).toBe('failed');
  // Of a promise that rejects because of an assertion, both are assertions.
  expect(counts?.failed).toBe(2);
  expect(counts?.passed).toBeGreaterThanOrEqual(2);
  expect(counts?.partial).toBeUndefined();
});

test('the assertions that fail are listed with their lines, those of a loop once', async () => {
  const lines = [
    'console.assert(f(1) === 2)',
    'for (const n of [1, 2, 3])',
    '  console.assert(f(n) === 2 * n)',
  ];
  const { counts } = await run(wrong, lines);
  expect(counts).toEqual({
    passed: 0,
    failed: 4,
    failing: [
      { line: 1, source: 'console.assert(f(1) === 2)' },
      { line: 3, source: 'console.assert(f(n) === 2 * n)' },
    ],
  });
});

test('an exception outside of the assertions makes the counts partial', async () => {
  const lines = ['console.assert(f(6) === 12); console.assert(f(1) === 2)', 'f(3)', 'console.assert(f(5))'];
  expect((await run(wrong, lines)).counts).toMatchObject({ passed: 1, failed: 1, partial: true });
  const tests = ["test('a', () => { assert(f(1) === 2); f(3) })", "test('b', () => assert(f(6) === 12))"];
  expect((await run(wrong, [requireTest, ...tests])).counts).toMatchObject({
    passed: 1,
    failed: 1,
    partial: true,
  });
});

test('a candidate that passes, or that nobody wants counts of, has none', async () => {
  expect(
    (await run('function f(n) { return 2 * n }', ['console.assert(f(1) === 2)'])).counts,
  ).toBeUndefined();
  expect((await run(wrong, ['console.assert(f(1) === 2)'], false)).counts).toBeUndefined();
});

test('at most 1,000 assertions are counted', async () => {
  const lines = ['console.assert(f(1) === 2)', 'for (let n = 0; n < 5000; n++) console.assert(n < 9)'];
  expect((await run(wrong, lines)).counts).toMatchObject({ passed: 9, failed: 991, partial: true });
});

const calls = 'let calls = 0; function f(n) { calls++;';
const tricks = [
  ['answers rightly when asked again', `${calls} return calls > 2 ? 2 * n : 0 }`],
  ['never returns when asked again', `${calls} while (calls > 1); return 0 }`],
  [
    'uses up its memory when asked again',
    `${calls} const all = []; while (calls > 1) all.push('x'.repeat(1e6) + calls); return 0 }`,
  ],
  ['returns what cannot cross when asked again', `${calls} return calls > 1 ? new Proxy({}, {}) : 0 }`],
] as const;
test.each(tricks)('a candidate that %s has failed', async (_name, code) => {
  const { verdict, judge } = await run(
    `${code}\n`,
    four.map(one => `console.assert(${one})`),
  );
  expect(verdict).toMatchObject({ kind: 'failed', test: { line: 1 } });
  expect(judge).toBe('proven');
});

function run(candidate: string, lines: readonly string[], counts = true) {
  const tests = `${lines.join('\n')}\n`;
  return sandbox.execute({ language: 'js', candidate, tests, entryPoint: 'f', counts });
}
