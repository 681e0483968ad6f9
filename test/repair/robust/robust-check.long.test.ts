import { afterAll, beforeAll, expect, test } from 'vitest';
import { HefixError } from '../../../lib/core/errors.ts';
import type { Sandbox } from '../../../lib/core/ports.ts';
import type { Language, Task } from '../../../lib/core/task.ts';
import { createRobustCheck, type RobustCheck } from '../../../lib/repair/robust/robust-check.ts';
import { createJavaScriptSandbox } from '../../../lib/sandbox/javascript/host/javascript-sandbox.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';
import { isolatedVm } from '../../support/needs.ts';

let python: Sandbox;
let check: RobustCheck;
beforeAll(async () => {
  python = await createPythonSandbox({ timeoutSeconds: 20 });
  check = createRobustCheck(python, () => createPythonSandbox({ timeoutSeconds: 20, hashSeed: 1 }));
});
afterAll(async () => {
  await check.close();
  await python.close();
});

let tasks = 0;
const task = (canonical: string, tests: string, language: Language = 'python'): Task => ({
  id: `t${tasks++}`,
  language,
  entryPoint: 'f',
  declaration: '',
  docstring: '',
  buggy: '',
  canonical,
  tests,
  exampleTests: '',
  bugType: null,
});

const top = 'def f(xs):\n    return sorted(xs)[-1] if xs else 0\n';
const topTests = 'assert f([1, 3, 2]) == 3\nassert f([]) == 0\n';

test('a candidate with other code and the same behaviour is alike', async () => {
  const candidate = 'def f(xs):\n    return max(xs, default=0)\n';
  const found = await check.check(task(top, topTests), candidate);
  expect(found).toMatchObject({ different: 0 });
  expect(found.tried).toBeGreaterThan(300);
  expect(found.first).toBeUndefined();
});

test('a candidate that is right only where the tests look differs, and the shortest input shows it', async () => {
  const candidate = 'def f(xs):\n    return max(xs + [0])\n';
  const found = await check.check(task(top, topTests), candidate);
  expect(found.first).toMatchObject({ call: expect.stringMatching(/^f\(\[-\d\]\)$/), actual: '0' });
  expect(found.different).toBeLessThan(found.tried / 2);
});

test('a candidate that special-cases the inputs of the tests differs on most', async () => {
  const candidate = 'def f(xs):\n    return {(1, 3, 2): 3}.get(tuple(xs), 0)\n';
  const { tried, different } = await check.check(task(top, topTests), candidate);
  expect(different).toBeGreaterThan(tried / 2);
});

test('exceptions, endless loops, ended processes and changed arguments tell candidates apart', async () => {
  const shown = async (body: string) =>
    (await check.check(task(top, topTests), `def f(xs):\n${body}`)).first?.actual;
  expect(await shown('    return sorted(xs)[-1] if xs != [0] else [][0]\n')).toBe('raised IndexError');
  expect(await shown('    while xs == [2]: pass\n    return max(xs, default=0)\n')).toBe('did not end');
  expect(await shown('    if xs == [2]: __import__("os")._exit(0)\n    return max(xs, default=0)\n')).toBe(
    'ended the process',
  );
  expect(await shown('    xs.sort()\n    return xs[-1] if xs else 0\n')).toMatch(
    /, and changed its arguments to /,
  );
});

test('a slow candidate is not one that never ends', async () => {
  const slow = (when: string, loops = '200_000') =>
    `def f(xs):\n    for _ in range(${loops} if ${when} else 1): pass\n    return max(xs, default=0)\n`;
  const sometimes = await check.check(task(top, topTests), slow('len(xs) == 1'));
  expect(sometimes).toMatchObject({ different: 0 });
  expect(sometimes.tried).toBeGreaterThan(100);
  for (const loops of ['200_000', '20_000_000'])
    expect(await check.check(task(top, topTests), slow('True', loops))).toEqual({
      ...{ tried: 0, different: 0, unchecked: 'it takes too many steps' },
    });
});

test('a value that claims to equal everything is no plain data', async () => {
  const candidate =
    'class Any:\n    def __eq__(self, other): return True\n\ndef f(xs):\n    return Any() if xs == [2] else max(xs, default=0)\n';
  expect((await check.check(task(top, topTests), candidate)).first?.actual).toBe('<Any>');
});

test('inputs on which the reference raises are left out', async () => {
  const reference = 'def f(n):\n    if n < 0: raise ValueError\n    return n * 2\n';
  const candidate = 'def f(n):\n    return abs(n) * 2\n';
  expect(await check.check(task(reference, 'assert f(4) == 8\n'), candidate)).toMatchObject({ different: 0 });
});

test.each([
  ['random numbers', 'import random\ndef f(xs):\n    return random.random()\n'],
  ['time', 'import time\ndef f(xs):\n    return time.perf_counter()\n'],
  ['hash order', 'def f(xs):\n    return list({str(x) for x in xs})\n'],
  ['earlier calls', 'calls = []\ndef f(xs):\n    calls.append(xs)\n    return len(calls)\n'],
])('a function whose results depend on %s is not compared', async (_, reference) => {
  expect(await check.check(task(reference, 'assert f([3, 1, 2])\nassert f([4, 5])\n'), reference)).toEqual({
    tried: 0,
    different: 0,
    unchecked: 'its results vary',
  });
});

test('nothing is compared if there is no call with plain data, or no reference', async () => {
  const reference = 'def f(g):\n    return g(1)\n';
  const found = await check.check(task(reference, 'assert f(lambda x: x) == 1\n'), reference);
  expect(found).toEqual({ tried: 0, different: 0, unchecked: 'the tests make no call with plain data' });
  const without = await check.check(task('', 'assert f(1) == 1\n'), reference);
  expect(without.unchecked).toBe('there is no reference');
});

test.each(['go', 'rust', 'cpp', 'java'] as const)('programs in %s are not compared', async language => {
  const found = await check.check(task('', '', language), '');
  expect(found).toEqual({ tried: 0, different: 0, unchecked: `values of ${language} cannot be compared` });
});

test("numbers are compared within the tests' tolerance", async () => {
  const reference = 'def f(x):\n    return x / 3\n';
  const candidate = 'def f(x):\n    return round(x / 3, 9)\n';
  const close = task(reference, 'assert abs(f(2.0) - 0.6666666) < 1e-6\n');
  expect((await check.check(close, candidate)).different).toBe(0);
  const fraction = task(reference, 'assert abs(f(2.0) - 0.6666666) < 1 / 1000000\n');
  expect((await check.check(fraction, candidate)).different).toBe(0);
  const exact = task(reference, 'assert f(3.0) == 1.0\nassert f(6.5) > 2\n');
  expect((await check.check(exact, candidate)).different).toBeGreaterThan(0);
});

test('the same task and candidate give the same result', async () => {
  const given = task(top, topTests);
  const candidate = 'def f(xs):\n    return max(xs + [0])\n';
  const again = createRobustCheck(python, () => createPythonSandbox({ hashSeed: 1 }));
  expect(await again.check(given, candidate)).toEqual(await check.check(given, candidate));
  await again.close();
});

test('JavaScript', async ({ skip }) => {
  const sandbox = await createJavaScriptSandbox({ timeoutSeconds: 20 }).catch(error => {
    if (error instanceof HefixError && error.code === 'ISOLATED_VM_MISSING') return null;
    throw error;
  });
  if (!sandbox) return skip(isolatedVm);
  const inJs = createRobustCheck(sandbox, () => createJavaScriptSandbox({ timeoutSeconds: 20 }));
  const reference = 'const f = (xs) => {\n  return xs.length ? Math.max(...xs) : 0;\n}\n';
  const tests = 'console.assert(f([1, 3, 2]) === 3)\nconsole.assert(f([]) === 0)\n';
  const given = task(reference, tests, 'js');
  const alike = 'const f = (xs) => {\n  return xs.toSorted((a, b) => b - a)[0] ?? 0;\n}\n';
  expect(await inJs.check(given, alike)).toMatchObject({ different: 0 });
  const exported = 'module.exports.f = xs => xs.length ? Math.max(...xs) : 0;\n';
  expect(await inJs.check(given, exported)).toMatchObject({ different: 0 });
  expect(await inJs.check(task(exported, tests, 'js'), alike)).toMatchObject({ different: 0 });
  const differs = 'function f(xs) {\n  return Math.max(0, ...xs);\n}\n';
  expect((await inJs.check(given, differs)).first).toMatchObject({ actual: '0' });
  const endless =
    'function f(xs) {\n  while (xs.length > 3);\n  return xs.length ? Math.max(...xs) : 0;\n}\n';
  expect((await inJs.check(given, endless)).first?.actual).toBe('did not end');
  const random = 'const f = (xs) => Math.random();\n';
  expect((await inJs.check(task(random, 'console.assert(f([1, 2]) >= 0)\n', 'js'), random)).unchecked).toBe(
    'its results vary',
  );
  await inJs.close();
  await sandbox.close();
});
