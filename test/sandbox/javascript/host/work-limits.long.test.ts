import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../../../lib/core/ports.ts';
import { createJavaScriptSandbox } from '../../../../lib/sandbox/javascript/host/javascript-sandbox.ts';

/** Data that is small on the wire and endless for a judge that traverses it in one call. */
const bombs = [
  [
    'lists that share their parts',
    'const f = () => { let x = [1]; for (let i = 0; i < 60; i++) x = [x, x]; return x }',
    "const assert = require('assert'); assert.deepStrictEqual(f(), f())",
  ],
  [
    'objects that share their parts, as text',
    'const f = () => { let x = { a: 1 }; for (let i = 0; i < 60; i++) x = { x, y: x }; return x }',
    "console.assert(JSON.stringify(f()) === '1')",
  ],
  [
    'a long list with nothing in it',
    'const f = () => { const x = []; x.length = 2 ** 32 - 1; return x }',
    'console.assert(f().indexOf(1) === 0)',
  ],
  ['a string of the largest size', "const f = () => 'x'.repeat(2 ** 29 - 24)", "console.assert(f() === 'y')"],
  ['an integer of many digits', 'const f = () => 7n ** 5000000n', "console.assert(String(f()) === '7')"],
  [
    'a pattern that backtracks',
    'const f = () => /^(a+)+$/',
    "console.assert(f().test('a'.repeat(64) + 'b') === true)",
  ],
  [
    'a map whose keys are nested sets',
    'const f = () => { let x = new Set([1]); for (let i = 0; i < 40; i++) x = new Set([[x, 1], [x, 2]]); return x }',
    "const assert = require('assert'); assert.deepStrictEqual(f(), f())",
  ],
  [
    'an iterator without an end',
    'function* f() { for (;;) yield 1 }',
    'console.assert([...f()].length === 1)',
  ],
  [
    'a list that grows while it is walked',
    'const all = [1]; const f = () => { all.push(1); return all }',
    'for (const x of f()) f(); console.assert(false)',
  ],
] as const;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createJavaScriptSandbox({ timeoutSeconds: 1, memoryMiB: 128 });
});
afterAll(() => sandbox.close());

test.each(bombs)('%s gives a verdict against the candidate', async (_, candidate, tests) => {
  const { verdict } = await sandbox.execute({ language: 'js', candidate, tests, entryPoint: 'f' });
  expect(['timeout', 'memory', 'not-serializable', 'failed', 'raised']).toContain(verdict.kind);
});
