import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDataset } from '../../../dataset/load.ts';
import { HefixError } from '../../../lib/core/errors.ts';
import type { Execution, Sandbox } from '../../../lib/core/ports.ts';
import type { Language, Task } from '../../../lib/core/task.ts';
import { createSearchClock, type SearchClock } from '../../../lib/repair/enumerate/search-clock.ts';
import { judgePrograms } from '../../../lib/repair/screen/judge-programs.ts';
import { prescreenPrograms } from '../../../lib/repair/screen/screen.ts';
import { createJavaScriptSandbox } from '../../../lib/sandbox/javascript/host/javascript-sandbox.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';
import { openParser } from '../../../lib/syntax/parser.ts';
import type { Trial } from '../../../machines/actors.ts';
import { isolatedVm } from '../../support/needs.ts';

let python: Sandbox;
beforeAll(async () => {
  python = await createPythonSandbox({ timeoutSeconds: 20 });
});
afterAll(() => python.close());

const task = (language: Language, buggy: string): Task => ({
  id: 't',
  language,
  entryPoint: 'f',
  declaration: '',
  docstring: '',
  buggy,
  canonical: '',
  tests: '',
  exampleTests: '',
  bugType: null,
});

const buggy = 'def f(x):\n    return sum(range(x))\n';
const returning = (expression: string) => `def f(x):\n    return ${expression}\n`;
const tests = 'assert f(3) == 6\nassert f(4) == 10\n';

async function prescreened(programs: readonly string[], given = tests, code = buggy) {
  const options = { clock: createSearchClock(20) };
  const parser = await openParser('python');
  return inColumns(await prescreenPrograms(parser, python, task('python', code), programs, given, options));
}

function inColumns(trials: readonly Trial[]) {
  return {
    assertionsPassed: trials.map(({ assertionsPassed }) => assertionsPassed),
    firstFailing: trials.map(({ firstFailing }) => firstFailing),
    overran: trials.flatMap(({ overran }, index) => (overran ? [index] : [])),
    survived: trials.at(-1)?.outcome === 'passed',
  };
}

test('stops at the first program that passes all assertions, and counts those that others pass', async () => {
  const programs = [returning('6'), returning('x'), returning('sum(range(x + 1))'), returning('10')];
  expect(await prescreened(programs)).toEqual({
    assertionsPassed: [1, 0, 2],
    firstFailing: [1, 0, null],
    overran: [],
    survived: true,
  });
});

test('continues after programs that raise, do not parse, never end, print, or forge results', async () => {
  const programs = [
    returning('y'),
    'def f(x:\n',
    'def f(x):\n    while True:\n        x += 1\n',
    'def f(x):\n    try:\n        while True:\n            pass\n    except Exception:\n        return 6\n',
    'def f(x):\n    return [0 for _ in iter(int, 1)]\n',
    'def f(x):\n    return f(x)\n',
    returning('9 ** 9 ** 9'),
    'print("@0 2 2 none ended 0 0")\ndef f(x):\n    print("@8 2 2 none ended 0 0")\n    return 6\n',
    'import sys\nsys.exit(0)\n',
    returning('x * (x + 1) // 2'),
  ];
  expect(await prescreened(programs)).toEqual({
    assertionsPassed: [0, 0, 0, 0, 0, 0, 0, 1, 0, 2],
    firstFailing: [0, 0, 0, 0, 0, 0, 0, 1, 0, null],
    overran: [2, 3, 4, 5],
    survived: true,
  });
});

test('skips a program that ends the process', async () => {
  const exits = 'import os\ndef f(x):\n    os._exit(0)\n';
  expect(await prescreened([returning('1'), exits, returning('sum(range(x + 1))')])).toMatchObject({
    assertionsPassed: [0, 0, 2],
    overran: [1],
    survived: true,
  });
});

test('a program that ends the process shortens the time of the others as four that take too long', async () => {
  const clock = createSearchClock(20);
  const parser = await openParser('python');
  const exits = 'import os\ndef f(x):\n    os._exit(0)\n';
  await prescreenPrograms(parser, python, task('python', buggy), [exits, buggy], tests, { clock });
  expect(clock.overruns).toBe(4);
});

test('blames no program for a buggy one that never ends', async () => {
  const programs = [returning('1'), returning('sum(range(x + 1))')];
  expect(await prescreened(programs, tests, returning('sum(range(10 ** 15))'))).toEqual({
    assertionsPassed: [0, 2],
    firstFailing: [0, null],
    overran: [],
    survived: true,
  });
});

test('skips a call without steps that takes too long, well before the time is up', async () => {
  const patient = await createPythonSandbox({ timeoutSeconds: 600 });
  try {
    const programs = [returning('1'), returning('sum(range(10 ** 15))'), returning('sum(range(x + 1))')];
    const parser = await openParser('python');
    const options = { clock: createSearchClock(20) };
    expect(
      inColumns(await prescreenPrograms(parser, patient, task('python', buggy), programs, tests, options)),
    ).toMatchObject({ assertionsPassed: [0, 0, 2], overran: [1], survived: true });
  } finally {
    await patient.close();
  }
});

test('counts assertions in functions and loops; a suite that does not finish passes none', async () => {
  const suite = 'def check(f):\n    for n in [3, 4]:\n        assert f(n) == n * (n + 1) // 2\ncheck(f)\n';
  expect(await prescreened([buggy, returning('sum(range(x + 1))')], suite)).toMatchObject({
    assertionsPassed: [0, 2],
    survived: true,
  });
  expect(await prescreened([returning('6')], 'assert f(3) == 6\nf(1, 2)\n')).toMatchObject({
    assertionsPassed: [1],
    survived: false,
  });
  expect(await prescreened([returning('6')], '')).toMatchObject({ assertionsPassed: [0] });
});

test('provides the sandbox’s names', async () => {
  const code = 'def f(x):\n    return math.comb(x + 1, 2)\n';
  expect(await prescreened([code], tests, code)).toMatchObject({ assertionsPassed: [2], survived: true });
});

test('tries JavaScript programs the same way', async ({ skip }) => {
  const sandbox = await createJavaScriptSandbox({ timeoutSeconds: 20 }).catch(error => {
    if (error instanceof HefixError && error.code === 'ISOLATED_VM_MISSING') return null;
    throw error;
  });
  if (!sandbox) return skip(isolatedVm);
  try {
    const f = (body: string) => `const f = (x) => {\n  ${body}\n}\n`;
    const programs = [
      f('return 6;'),
      f('while (true) x++;'),
      f('for (;;) { x++; }'),
      f('throw x;'),
      f('if (x < -1000) return 0; return f(x - 1) + f(x - 1);'),
      f('console.log("@0 2 2 none ended 0 0"); return 10;'),
      f('return x * (x + 1) / 2;'),
    ];
    const given = 'console.assert(f(3) === 6)\nconsole.assert(f(4) === 10)\n';
    const parser = await openParser('js');
    const tried = async (clock: SearchClock) =>
      inColumns(
        await prescreenPrograms(parser, sandbox, task('js', f('return x;')), programs, given, { clock }),
      );
    const clock = createSearchClock(20);
    expect(await tried(clock)).toMatchObject({
      assertionsPassed: [1, 0, 0, 0, 0, 1, 2],
      overran: [1, 2, 4],
      survived: true,
    });
    // Endless programs reduce the steps of the others.
    expect(clock.overruns).toBe(3);
    expect(clock.left()).toBeLessThan(20);
    expect(await tried(createSearchClock(1e-6))).toEqual({
      assertionsPassed: [1],
      firstFailing: [1],
      overran: [],
      survived: false,
    });
  } finally {
    await sandbox.close();
  }
});

test('programs of compiled languages are tried one by one, up to the first that passes', async () => {
  const { tasks } = await loadDataset('mini-java');
  const [first] = tasks;
  if (!first) throw new Error('mini-java is empty');
  const tried: string[] = [];
  const sandbox = {
    async execute({ candidate }: { readonly candidate: string }): Promise<Execution> {
      tried.push(candidate);
      const kind = candidate === 'right' ? 'passed' : 'failed';
      return { verdict: { kind, message: '' }, seconds: 0.1 } as Execution;
    },
  };
  const programs = ['wrong', 'right', 'later'];
  const clock = createSearchClock(10);
  const suites = [{ tests: first.tests, checks: [] }];
  expect(await judgePrograms(sandbox, first, programs, suites, { clock })).toEqual([
    { outcome: 'failed', assertionsPassed: 0, firstFailing: 0, overran: false },
    { outcome: 'passed', assertionsPassed: 1, firstFailing: null, overran: false },
  ]);
  expect(tried).toEqual(['wrong', 'right']);
  expect(clock.left()).toBeLessThan(9.6);
});
