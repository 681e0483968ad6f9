import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../../../lib/core/ports.ts';
import { createJavaScriptSandbox } from '../../../../lib/sandbox/javascript/host/javascript-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createJavaScriptSandbox({ timeoutSeconds: 5, memoryMiB: 128 });
});
afterAll(() => sandbox.close());

const right = 'const f = n => n === 0 ? [0] : [n, 2 * n]';
const empty = 'const f = n => n === 0 ? [0] : []';
const head = "const assert = require('assert'); const test = require('node:test')\n";
const first = "test('none', () => assert.deepEqual(f(0), [0]))\n";

const verdictOf = async (candidate: string, tests: string, judge: 'proven' | 'isolated' = 'proven') =>
  (await sandbox.execute({ language: 'js', entryPoint: 'f', candidate, tests: head + first + tests, judge }))
    .verdict;

/** Tests with assertions that an empty result does not reach, and the line of the test that does not reach one. */
const unreached: Readonly<Record<string, readonly [tests: string, line: number]>> = {
  'in a loop': ["test('some', () => { for (const x of f(3)) assert.ok(x) })", 3],
  'in a helper': ["const all = xs => xs.map(x => assert.ok(x))\ntest('some', () => { all(f(3)) })", 4],
  'in one of several cases': [
    "for (const n of [0, 3])\n  test('of ' + n, () => f(n).map(x => assert.equal(x % 3, 0)))",
    4,
  ],
  'in a subtest': [
    "test('all', async t => {\n  await t.test('some', () => { for (const x of f(3)) assert.ok(x) })\n})",
    4,
  ],
  'in a function that is registered by its name': [
    "const some = () => { f(3).map(x => assert.ok(x)) }\ntest('some', some)",
    3,
  ],
};

test.for(Object.entries(unreached))(
  'a test fails if it reaches none of its assertions: %s',
  async ([, [tests, line]]) => {
    const message = `The test in line ${line} ended without reaching one of its assertions.`;
    expect(await verdictOf(right, tests)).toMatchObject({ kind: 'passed' });
    expect(await verdictOf(empty, tests)).toEqual({ kind: 'failed', message });
    expect(await verdictOf(empty, tests, 'isolated')).toEqual({ kind: 'failed', message });
  },
);

/** Ends of tests that reach no assertion with an empty result and may pass. */
const others = {
  'it throws': "for (const x of f(3)) if (!x) throw new Error('none'); else assert.ok(x)",
  'it calls assert.fail': "for (const x of f(3)) if (!x) assert.fail('none'); else assert.ok(x)",
  'it hands on an error': 'for (const x of f(3)) { if (!x) await Promise.reject(new Error()); assert.ok(x) }',
  'it skips itself': 't.skip(); for (const x of f(3)) assert.ok(x)',
  'it asserts later': 'setTimeout(() => assert.deepEqual(f(4), []), 5)',
  'it has none': 'f(3)',
};

test.for(Object.entries(others))('a test without a reached assertion may pass if %s', async ([, body]) => {
  expect(await verdictOf(empty, `test('some', async t => { ${body} })\n${first}`)).toMatchObject({
    kind: 'passed',
  });
});

test('tests that the candidate keeps from being registered fail it', async () => {
  const tests = "for (const x of f(3)) test('item ' + x, () => assert.ok(x))";
  expect(await verdictOf(right, tests)).toMatchObject({ kind: 'passed' });
  const message = 'The test in line 3 was never registered.';
  expect(await verdictOf(empty, tests)).toMatchObject({ kind: 'failed', message });
});
