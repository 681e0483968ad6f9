import { afterEach, describe, expect, test } from 'vitest';
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

/** Parsers; the first ones are started with the given arguments. Counts them. */
function create(first: readonly string[][], timeoutSeconds = 0.1) {
  const count = { started: 0 };
  const programs: PythonPrograms = {
    ...python,
    arguments: (...words) => first[count.started++] ?? python.arguments(...words),
  };
  const made = createSyntaxChecker(programs, isolation, limits, timeoutSeconds);
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
    const { checker, count } = create([slow]);
    expect(await checker.check('x = 1')).toBeNull();
    expect(count.started).toBe(2);
  });

  test('twice is an error, never a verdict', async () => {
    const { checker } = create([slow, slow]);
    await expect(checker.check('x = 1')).rejects.toMatchObject({
      code: 'SANDBOX_FAILED',
      message: expect.stringContaining('the parser did not answer'),
    });
    expect(await checker.check('x = (')).not.toBeNull();
  });

  test('does not block an aborted caller', async () => {
    const { checker } = create([slow], 60);
    await expect(checker.check('x = 1', AbortSignal.timeout(100))).rejects.toThrow(/timeout/);
    expect(await checker.check('x = 1')).toBeNull();
  });
});

describe('a parser that ends', () => {
  const ending = ['-c', ''];

  test('on its own is replaced', async () => {
    expect(await create([ending]).checker.check('x = 1')).toBeNull();
  });

  test('on the same program twice reports that program', async () => {
    const { checker } = create([ending, ending]);
    expect(await checker.check('x = 1')).toMatchObject({ message: /too large or too deeply/ });
  });

  test('on every program is an error of the sandbox', async () => {
    const { checker } = create([ending, ending, ending]);
    await expect(checker.check('x = 1')).rejects.toMatchObject({ code: 'SANDBOX_FAILED' });
  });
});

test('several programs are parsed concurrently, in a few reused parsers', async () => {
  const { checker, count } = create([], 10);
  const codes = Array.from({ length: 24 }, (_, number) => (number % 3 === 0 ? 'x = (' : `x = ${number}`));
  const faults = await Promise.all(codes.map(code => checker.check(code)));
  expect(faults.map(fault => fault === null)).toEqual(codes.map(code => code !== 'x = ('));
  expect(count.started).toBeGreaterThan(1);
  expect(count.started).toBeLessThanOrEqual(4);
});

test('starts no parser after it was closed', async () => {
  const { checker, count } = create([slow], 60);
  const checking = expect(checker.check('x = 1')).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' });
  await checker.close();
  await checking;
  await expect(checker.check('x = 1')).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' });
  expect(count.started).toBe(0);
});
