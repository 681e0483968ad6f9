import { getEventListeners, setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../../lib/core/ports.ts';
import type { Verdict } from '../../../../lib/core/verdict.ts';
import { createJavaScriptSandbox } from '../../../../lib/sandbox/javascript/host/javascript-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createJavaScriptSandbox({ timeoutSeconds: 5, memoryMiB: 128 });
});
afterAll(() => sandbox.close());

const run = (candidate: string, tests: string) =>
  sandbox.execute({ language: 'js', entryPoint: 'f', candidate, tests });

async function verdictOf(candidate: string, tests: string): Promise<Verdict> {
  return (await run(candidate, tests)).verdict;
}

test('executions leave no listeners on the caller’s signal, and many at once are not a leak', async () => {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on('warning', warn);
  const request = { language: 'js', entryPoint: 'f', candidate: 'const f = x => x', tests: '' } as const;
  const tests = 'console.assert(f(1) === 1)';
  await Promise.all(Array.from({ length: 12 }, () => sandbox.execute({ ...request, tests }, signal)));
  await setImmediate();
  process.off('warning', warn);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(warnings).toEqual([]);
});

/** The tests, and the line, expected and actual value in the verdict on `f = x => x + 1`. */
const details = [
  ['console.assert(f(1) === 3)', 1, '3', '2'],
  ['\n\nconsole.assert(3 === f(1))', 3, '3', '2'],
  ['const t = () => {\n  console.assert(\n    f(1)\n      === 3\n  )\n}\nt()', 2, '3', '2'],
  ['console.assert(JSON.stringify([f(1)]) === JSON.stringify([3, "a"]))', 1, '[3,"a"]', '[2]'],
  ['console.assert(Math.abs(f(1) - 2.5) < 1e-3)', 1, '2.5 within 0.001', '2'],
  ['console.assert(f(1) > 5)', 1, '> 5', '2'],
  ['console.assert(5 < f(1))', 1, '> 5', '2'],
  ['console.assert(f(1) !== 2)', 1, '!== 2', '2'],
  ['console.assert(!(f(1) === 2))', 1, 'not 2', '2'],
  ['console.assert(f(1) === 2 && f(2) === 4)', 1, '4', '3'],
  ['console.assert(f(1) === 3 || f(2) === 4)', 1, '4', '3'],
  ['console.assert([1, 3].includes(f(1)))', 1, 'true', 'false'],
  ['console.assert(!f(1))', 1, 'a false value', '2'],
  ['for (const x of [-1, 5]) {\n  console.assert(f(x) === 0)\n}', 2, '0', '6'],
  [
    'const check = (got, want) => {\n  console.assert(got === want)\n}\ncheck(f(0), 1)\ncheck(f(1), 3)',
    5,
    '3',
    '2',
  ],
  [
    'const check = (x, want) => console.assert(f(x) === want)\n;[[0, 1], [1, 3]].forEach(([x, want]) => {\n  check(x, want)\n})',
    3,
    '3',
    '2',
  ],
  ["const assert = require('assert')\nassert(f(1) === 3)", 2, '3', '2'],
  ["const assert = require('assert')\nassert.strictEqual(f(1), 3)", 2, '3', '2'],
  ["const assert = require('assert')\nassert.deepStrictEqual([f(1)], [3])", 2, '[ 3 ]', '[ 2 ]'],
  ["const assert = require('assert')\nassert.notStrictEqual(f(1), 2)", 2, 'not 2', '2'],
  ['const t = async () => {\n  await null\n  console.assert((await f(1)) === 3)\n}\nt()', 3, '3', '2'],
] as const;

describe('reports', () => {
  test.for(details)('%s', async ([tests, line, expected, actual]) => {
    const verdict = await verdictOf('const f = x => x + 1', tests);
    expect(verdict).toMatchObject({ kind: 'failed', expected, actual, test: { line } });
    expect(verdict.test?.source).not.toBe('');
  });

  test('the call and its values in one sentence', async () => {
    const verdict = await verdictOf('const f = (a, b) => a - b', 'console.assert(f(1, "x") === 3)');
    expect(verdict.message).toBe("f(1, 'x') returned NaN, but the tests want 3.");
  });

  test('an exception, with its type and line in both programs', async () => {
    const verdict = await verdictOf('const f = x => {\n  return x.a.b\n}', '\nconsole.assert(f({}) === 1)');
    expect(verdict).toEqual({
      kind: 'raised',
      message: "f({}) raised TypeError: Cannot read properties of undefined (reading 'b') (line 2).",
      test: { line: 2, source: 'console.assert(f({}) === 1)' },
      exception: { type: 'TypeError', message: "Cannot read properties of undefined (reading 'b')", line: 2 },
    });
  });

  test('an exception while the candidate is loaded', async () => {
    const verdict = await verdictOf('const f = x => x\n\nmissing()', 'console.assert(f(1) === 1)');
    expect(verdict).toMatchObject({ kind: 'raised', exception: { type: 'ReferenceError', line: 3 } });
  });

  test('a syntax error, with its line', async () => {
    const verdict = await verdictOf('const f = x => {\n  return x +\n}', 'console.assert(f(1) === 1)');
    expect(verdict).toMatchObject({ kind: 'syntax', exception: { type: 'SyntaxError', line: 3 } });
  });

  test('the call that did not return', async () => {
    const verdict = await verdictOf('const f = x => { while (x) {} }', '\nconsole.assert(f(7) === 1)');
    expect(verdict).toMatchObject({ kind: 'timeout', test: { line: 2 } });
    expect(verdict.message).toBe('f(7) did not return within 5 seconds.');
  });

  test('the exit status', async () => {
    const execution = await run('const f = x => process.exit(7)', 'console.assert(f(1) === 1)');
    expect(execution).toMatchObject({ exitCode: 7, verdict: { kind: 'exited' } });
  });
});

describe('output', () => {
  test('has separate streams, formatted as by Node', async () => {
    const { stdout, stderr } = await run(
      "const f = x => { console.log('a %d', 1, [x]); process.stdout.write('b'); console.error({ x }); return x }",
      "console.log('from the tests'); console.assert(f(1) === 1)",
    );
    expect(stdout).toBe('a 1 [ 1 ]\nb');
    expect(stderr).toBe('{ x: 1 }\n');
  });

  test('is limited, and the rest is counted', async () => {
    const { stdout, droppedBytes, verdict } = await run(
      "const f = x => { for (let i = 0; i < 100; i++) console.log('x'.repeat(9999)); return x }",
      'console.assert(f(1) === 1)',
    );
    expect(verdict.kind).toBe('passed');
    expect(stdout).toHaveLength(64 * 1024);
    expect(droppedBytes).toBe(1_000_000 - 64 * 1024);
  });
});

describe('invalid tests', () => {
  test.for([
    ['console.assert(f(1) ===', /do not parse/],
    ['f(1)', /assert nothing/],
    ['console.assert(1 === 1)', /never call f/],
    ['const t = () => { console.assert(f(1) === 1) }', /never run t/],
    ["console.assert(require('lodash').isEqual(f(1), 1))", /require lodash/],
    ['null.a; console.assert(f(1) === 1)', /fail before they call f \(line 1\)/],
  ] as const)('%s', async ([tests, what]) => {
    await expect(run('const f = x => x', tests)).rejects.toMatchObject({
      code: 'TESTS_INVALID',
      message: expect.stringMatching(what),
    });
  });

  test('do not include tests whose assertions the candidate prevents', async () => {
    const verdict = await verdictOf('const f = x => []', 'for (const x of f(1)) console.assert(x === 1)');
    expect(verdict.kind).toBe('failed');
  });
});

describe('checkSyntax', () => {
  test.for([
    ['const f = x => {\n  return x\n}', null],
    ["throw new Error('never run')", null],
    ['const f = x => {\n  return (x\n}', 3],
    ['let a\nlet a', 2],
    ["import fs from 'fs'", 1],
    ['const f = async () => { for await (const x of y) {} }', null],
  ] as const)('%s', async ([code, line]) => {
    const fault = await sandbox.checkSyntax('js', code);
    expect(fault?.line ?? null).toBe(line);
  });

  test('survives deeply nested code', async () => {
    expect(await sandbox.checkSyntax('js', '('.repeat(1e6))).toMatchObject({ line: 1 });
  });
});

test('runs several concurrently and separately', async () => {
  const numbers = [1, 2, 3, 4, 5];
  const verdicts = await Promise.all(
    numbers.map(n =>
      verdictOf(
        `globalThis.n = (globalThis.n ?? 0) + ${n}; const f = () => n`,
        `console.assert(f() === ${n})`,
      ),
    ),
  );
  expect(verdicts.map(({ kind }) => kind)).toEqual(numbers.map(() => 'passed'));
});

test('rejects other languages', async () => {
  await expect(sandbox.checkSyntax('python', 'x')).rejects.toMatchObject({ code: 'LANGUAGE_UNSUPPORTED' });
});

test('can be aborted', async () => {
  const request = {
    language: 'js',
    entryPoint: 'f',
    candidate: 'const f = () => { for (;;) {} }',
    tests: 'console.assert(f())',
  } as const;
  await expect(sandbox.execute(request, AbortSignal.timeout(300))).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});

test('can be closed twice', async () => {
  const own = await createJavaScriptSandbox({ poolSize: 1 });
  const running = own.execute({
    language: 'js',
    entryPoint: 'f',
    candidate: 'const f = () => { for (;;) {} }',
    tests: 'console.assert(f())',
  });
  const rejection = expect(running).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' });
  await own.close();
  await rejection;
  await expect(own.checkSyntax('js', '1')).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' });
});

test('the tests use the task’s helpers, even if the candidate redefines them', async () => {
  const declaration = 'const shift = s => s + "!"\nconst f = (s) => {\n';
  const tests = 'console.assert(f(shift("a")) === "a")';
  const judged = (candidate: string) =>
    sandbox.execute({ language: 'js', entryPoint: 'f', candidate, tests, declaration });
  const right = await judged(`${declaration}  return s.slice(0, -1)\n}`);
  expect(right.verdict.kind).toBe('passed');
  const forged = await judged('const shift = s => s\nconst f = s => s');
  expect(forged.verdict).toMatchObject({ kind: 'failed', expected: "'a'", actual: "'a!'" });
});
