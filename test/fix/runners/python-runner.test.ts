import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestReport } from '../../../lib/core/project-tests.ts';
import { createPythonRunner, jailedPython } from '../../../lib/fix/runners/python-runner.ts';
import type { Runner } from '../../../lib/fix/runners/runner.ts';

const source = `import functools


def squares(limit):
    return [n * n for n in range(limit)]


TABLE = squares(4)


def counted(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper


@counted
def largest(values, default=0):
    return min(values)


class Box:
    def __init__(self, items):
        self.items = items

    @property
    def size(self):
        return len(self.items) + 1
`;

const tests = `import boxes


def test_largest():
    assert boxes.largest([1, 3]) == 3


def test_size():
    assert boxes.Box([1]).size == 1


def test_table():
    assert boxes.TABLE == [0, 1, 4, 9]


def test_items():
    assert boxes.Box([1, 2]).items == [1, 2]
`;

let startRunner: () => Runner;
let runner: Runner;
let folder: string;
const { signal } = new AbortController();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hefix-runner-'));
  const project = join(folder, 'project');
  await mkdir(project);
  await writeFile(join(project, 'boxes.py'), source);
  await writeFile(join(project, 'test_boxes.py'), tests);
  const jails = await jailedPython('python3', project, {
    ...{
      memoryMiB: 1024,
      seconds: 60,
      isolation: undefined,
      requireIsolation: false,
      allowNetwork: false,
      env: {},
      variables: {},
    },
  });
  const plan = { tests: ['test_boxes.py'], doctest: [], sources: ['boxes.py'], entryPoint: null };
  startRunner = () => createPythonRunner({ jails, project, paths: [''], plan, isWhole: false, time: 60 });
  runner = startRunner();
});
afterAll(async () => {
  await runner?.close();
  await rm(folder, { recursive: true, force: true });
});

const failing = ['largest', 'size'].map(name => `test_boxes.py::test_${name}`);
const passing = ['table', 'items'].map(name => `test_boxes.py::test_${name}`);

/** Tries candidates at once, each the file with a replacement. */
async function tried(...replacements: readonly (readonly [string, string])[][]): Promise<TestReport[]> {
  const trial = { candidate: 'boxes.py', passing, above: 0 };
  const limits = { only: failing, trace: false, stop: false, seconds: 20, cpuSeconds: 0.5, trial };
  return await Promise.all(
    replacements.map(async changes => {
      const code = changes.reduce((text, [from, to]) => text.replace(from, to), source);
      return await runner.run({ ...limits, files: new Map([['boxes.py', Buffer.from(code)]]) }, signal);
    }),
  );
}

const passed = ({ tests }: TestReport): string[] =>
  tests.flatMap(({ id, outcome }) => (outcome === 'passed' ? [id.replace(/.*test_/, '')] : [])).sort();

test('one process tries many candidates: decorated functions, properties, and those that corrupt the process', async () => {
  const [both, size, endless, exits, writes, again] = await tried(
    [
      ['min(', 'max('],
      ['+ 1', ''],
    ],
    [['+ 1', '']],
    [['return min(values)', 'while True: pass']],
    [['return min(values)', '__import__("os")._exit(0)']],
    [['return min(values)', 'open("boxes.py", "w").close(); return max(values)']],
    [['min(', 'max(']],
  );
  expect(both && passed(both)).toEqual(['items', 'largest', 'size', 'table']);
  expect(size && passed(size)).toContain('size');
  expect(size && passed(size)).not.toContain('largest');
  expect(endless?.tests.find(({ id }) => id.endsWith('largest'))).toMatchObject({ timeout: true });
  expect(exits && passed(exits)).toEqual([]);
  expect(writes && passed(writes)).toContain('largest');
  expect(again && passed(again)).toContain('largest');
});

test('slow tests run last, and not for a candidate that repairs no quick test; random tests have a seed', async () => {
  const files = (code: string) =>
    new Map([
      ['boxes.py', Buffer.from(code)],
      ['hypothesis/__init__.py', Buffer.from('')],
      ['hypothesis/core.py', Buffer.from('global_force_seed = None\n')],
      [
        'test_boxes.py',
        Buffer.from(`import hypothesis.core\n${tests}\n    assert hypothesis.core.global_force_seed == 0\n`),
      ],
    ]);
  const [largest = '', size = ''] = failing;
  const trial = { candidate: 'boxes.py', passing, above: 0, slow: [largest] };
  const idsFor = async (code: string) => {
    const request = { only: failing, trace: false, stop: false, seconds: 20, cpuSeconds: 5, trial };
    const report = await runner.run({ ...request, files: files(code) }, signal);
    return report.tests.flatMap(({ id, outcome }) => (outcome === 'passed' ? [id] : []));
  };
  expect(await idsFor(source.replace('min(', 'max('))).toEqual([]);
  const both = await idsFor(source.replace('min(', 'max(').replace('+ 1', ''));
  expect(both.toSorted()).toEqual([...failing, ...passing].toSorted());
  expect(both).toContain(size);
});

test('a test that breaks ends the trial and is reported', async () => {
  const [broken] = await tried([
    ['min(', 'max('],
    ['+ 1', ''],
    ['self.items = items', 'self.items = items[:1]'],
  ]);
  const failed = broken?.tests.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  expect(failed).toEqual(['test_boxes.py::test_items']);
});

test('recomputes values that the file computes on import', async () => {
  const other = tests.replace('[0, 1, 4, 9]', '[0, 1, 8, 27]');
  const files = new Map([
    ['test_boxes.py', Buffer.from(other)],
    ['boxes.py', Buffer.from(source.replace('n * n', 'n ** 3'))],
  ]);
  const trial = { candidate: 'boxes.py', passing: [], above: 0 };
  const only = ['test_boxes.py::test_table'];
  const report = await runner.run(
    { files, only, trace: false, stop: false, seconds: 20, cpuSeconds: 0.5, trial },
    signal,
  );
  expect(passed(report)).toEqual(['table']);
});

test('a trial changes a default value and a decorator, and reports a syntax error', async () => {
  const [decorated, wrong] = await tried(
    [
      ['@counted\n', '@functools.lru_cache(None)\n'],
      ['+ 1', ''],
    ],
    [['return min(values)', 'return )']],
  );
  // A cached function does not accept a list.
  expect(decorated && passed(decorated)).not.toContain('largest');
  expect(decorated && passed(decorated)).toContain('size');
  expect(wrong && passed(wrong)).toEqual([]);
  expect(wrong?.fault).toMatch(/SyntaxError|syntax/);
});

describe('a runner', () => {
  let own: Runner;
  beforeEach(() => {
    own = startRunner();
  });
  afterEach(() => own.close());

  const limits = { trace: false, stop: false, seconds: 20 };
  const tryOut = async (files: Readonly<Record<string, string>>, given = signal): Promise<TestReport> =>
    await own.run(
      {
        ...{ ...limits, files: bytesOf(files), only: failing },
        trial: { candidate: 'boxes.py', passing, above: 0 },
      },
      given,
    );
  const bytesOf = (files: Readonly<Record<string, string>>) =>
    new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
  const repaired = source.replace('min(', 'max(').replace('+ 1', '');

  test('collects the tests once for all candidates, whatever runs before or between them', async () => {
    const noting = `${tests}
import os
import sys
# As a plugin may refer to it.
sys.kept = [*getattr(sys, 'kept', []), boxes.largest]
with open(os.environ['HEFIX_NOTES'], 'a') as notes:
    notes.write('imported ')
`;
    const files = { 'test_boxes.py': noting, 'boxes.py': repaired };
    const runAll = async () => await own.run({ ...limits, files: bytesOf(files), only: null }, signal);
    expect((await runAll()).notes).toBe('imported ');
    for (const notes of ['imported imported ', 'imported ']) {
      const report = await tryOut(files);
      expect([passed(report), report.notes]).toEqual([['items', 'largest', 'size', 'table'], undefined]);
      expect((await runAll()).notes).toBe(notes);
    }
  });

  test('tries candidates next to objects that raise whatever they are asked', async () => {
    const lazy = `${tests}
import sys


class Lazy:
    def __getattribute__(self, name):
        raise ValueError(name)


sys.modules['lazy'] = sys.lazy = Lazy()
`;
    const files = { 'test_boxes.py': lazy, 'boxes.py': repaired };
    for (let run = 0; run < 2; run++) expect(passed(await tryOut(files))).toContain('largest');
    expect(await own.run({ ...limits, files: bytesOf(files), only: null }, signal)).toMatchObject({
      fault: null,
    });
  });

  test.each([
    ['ends', 'self.items = items'],
    ['never ends', 'while True:\n            pass'],
    ['ends the process', "__import__('os').kill(__import__('os').getppid(), 9)"],
  ])('is of use after a candidate was given up that %s', async (_, statement) => {
    const given = new AbortController();
    const giving = tryOut({ 'boxes.py': source.replace('self.items = items', statement) }, given.signal);
    setTimeout(() => given.abort(), 600);
    await giving.catch(() => {});
    expect(passed(await tryOut({ 'boxes.py': repaired }))).toContain('largest');
  });

  test('starts each run with modules as they were before: the buggy code leaves nothing to a candidate', async () => {
    const checking = `${tests}

def test_nothing_is_left():
    import json
    assert not hasattr(json, 'left')
`;
    const buggy = source.replace('return min(values)', 'import json; json.left = 1; return min(values)');
    const runOf = async (code: string) =>
      passed(
        await own.run(
          { ...limits, only: null, files: bytesOf({ 'boxes.py': code, 'test_boxes.py': checking }) },
          signal,
        ),
      );
    expect(await runOf(buggy)).not.toContain('nothing_is_left');
    expect(await runOf(repaired)).toContain('nothing_is_left');
    const trial = {
      candidate: 'boxes.py',
      passing: [...passing, 'test_boxes.py::test_nothing_is_left'],
      above: 0,
    };
    const files = bytesOf({ 'boxes.py': repaired, 'test_boxes.py': checking });
    const report = await own.run({ ...limits, only: failing, files, trial }, signal);
    expect(passed(report)).toContain('nothing_is_left');
  });

  test('starts pytest before it is asked, outside of the project', async () => {
    own.start();
    const noting = `${tests}
import os
with open(os.environ['HEFIX_NOTES'], 'w') as notes:
    notes.write(str(os.listdir(os.getcwd() + '.empty')))
`;
    const files = bytesOf({ 'test_boxes.py': noting });
    expect(await own.run({ ...limits, files, only: null }, signal)).toMatchObject({ notes: '[]' });
  });
});
