import { afterEach, describe, expect, test } from 'vitest';
import type { StartTimer } from '../../../../lib/core/async.ts';
import { detectIsolation, type Limits } from '../../../../lib/sandbox/isolation/isolation.ts';
import { type PythonPrograms, preparePython } from '../../../../lib/sandbox/python/host/python-programs.ts';
import {
  createSyntaxChecker,
  type SyntaxChecker,
} from '../../../../lib/sandbox/python/host/syntax-checker.ts';

const limits: Limits = {
  memoryMiB: 512,
  cpuSeconds: 10,
  processes: 16,
  openFiles: 32,
  fileSizeMiB: 1,
  workFolderMiB: 1,
};
const python = await preparePython();
const isolation = await detectIsolation({ python: python.executable, wanted: 'ulimit' });
const slow = ['-c', 'import time\ntime.sleep(60)'];

let checker: SyntaxChecker | undefined;
afterEach(() => checker?.close());

/**
 * Parsers; the first ones are started with the given arguments. Counts them. Only the questions of these numbers take
 * too long, and all after `asked` was called.
 */
function create(first: readonly string[][], { late = [] as number[], asked = () => {} } = {}) {
  const count = { started: 0 };
  let questions = 0;
  const startTimer: StartTimer = act => {
    if (late.includes(questions++)) setImmediate(act);
    setImmediate(asked);
    return () => {};
  };
  const programs: PythonPrograms = {
    ...python,
    arguments: (...words) => first[count.started++] ?? python.arguments(...words),
  };
  const made = createSyntaxChecker(programs, isolation, limits, 10, startTimer);
  checker = made;
  return { checker: made, count };
}

test('a parser is replaced after many programs', async () => {
  const { checker, count } = create([]);
  for (let program = 1; program < 400; program++) expect(await checker.check('x = 1')).toBeNull();
  expect(count.started).toBe(1);
  expect(await checker.check('x = (')).not.toBeNull();
  expect(count.started).toBe(2);
  expect(await checker.check('x = (')).not.toBeNull();
  expect(count.started).toBe(2);
});

describe('a parser that is slow', () => {
  test('is replaced, and the program is parsed again', async () => {
    const { checker, count } = create([slow], { late: [0] });
    expect(await checker.check('x = 1')).toBeNull();
    expect(count.started).toBe(2);
  });

  test('a parser that is slow twice is an error, never a verdict', async () => {
    const { checker } = create([slow, slow], { late: [0, 1] });
    await expect(checker.check('x = 1')).rejects.toMatchObject({
      code: 'SANDBOX_FAILED',
      message: expect.stringContaining('the parser did not answer'),
    });
    expect(await checker.check('x = (')).not.toBeNull();
  });

  test('does not block an aborted caller', async () => {
    const controller = new AbortController();
    const { checker } = create([slow], { asked: () => controller.abort(new Error('enough')) });
    await expect(checker.check('x = 1', controller.signal)).rejects.toThrow('enough');
    expect(await checker.check('x = 1')).toBeNull();
  });
});

describe('a parser that ends', () => {
  const ending = ['-c', ''];

  test('a parser that ends on its own is replaced', async () => {
    expect(await create([ending]).checker.check('x = 1')).toBeNull();
  });

  test('a parser that ends on the same program twice reports that program', async () => {
    const { checker } = create([ending, ending]);
    expect(await checker.check('x = 1')).toMatchObject({ message: /too large or too deeply/ });
  });

  test('a parser that ends on every program is an error of the sandbox', async () => {
    const { checker } = create([ending, ending, ending]);
    await expect(checker.check('x = 1')).rejects.toMatchObject({ code: 'SANDBOX_FAILED' });
  });
});

test('several programs are parsed concurrently, in a few reused parsers', async () => {
  const { checker, count } = create([]);
  const codes = Array.from({ length: 24 }, (_, number) => (number % 3 === 0 ? 'x = (' : `x = ${number}`));
  const faults = await Promise.all(codes.map(code => checker.check(code)));
  expect(faults.map(fault => fault === null)).toEqual(codes.map(code => code !== 'x = ('));
  expect(count.started).toBeGreaterThan(1);
  expect(count.started).toBeLessThanOrEqual(4);
});

test('starts no parser after it was closed', async () => {
  const { checker, count } = create([slow]);
  const checking = expect(checker.check('x = 1')).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' });
  await checker.close();
  await checking;
  await expect(checker.check('x = 1')).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' });
  expect(count.started).toBe(0);
});
