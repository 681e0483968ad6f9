import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Dataset, loadDataset } from '../../dataset/load.ts';
import type { Sandbox } from '../../lib/core/ports.ts';
import { createPythonSandbox } from '../../lib/sandbox/python/host/python-sandbox.ts';
import { verifyDataset } from '../support/verify-dataset.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createPythonSandbox({ timeoutSeconds: 3 });
});
afterAll(() => sandbox.close());

describe('the sets are sound', () => {
  test('mini: every canonical solution passes, no buggy one does', async () => {
    const report = await verifyDataset(await loadDataset('mini'), sandbox, { workers: 2 });
    expect(report).toEqual({
      canonical: { passed: 64, total: 64 },
      buggy: { passed: 0, total: 64 },
      problems: [],
    });
  });

  test('mini: the docstring examples agree with the canonical solutions', async () => {
    const tasks = (await loadDataset('mini')).tasks.map(task => ({ ...task, tests: task.exampleTests }));
    const report = await verifyDataset({ tasks }, sandbox, { workers: 2 });
    expect(report.canonical).toEqual({ passed: 64, total: 64 });
  });

  test('bogus: nothing passes, and every task is named', async () => {
    const report = await verifyDataset(await loadDataset('bogus'), sandbox, { workers: 2 });
    expect(report.canonical).toEqual({ passed: 0, total: 24 });
    expect(report.buggy).toEqual({ passed: 0, total: 24 });
    expect(new Set(report.problems.map(problem => problem.fault))).toEqual(new Set(['canonical fails']));
    expect(report.problems).toHaveLength(24);
  });
});

describe('problems of a set are named', () => {
  let mini: Dataset;
  beforeAll(async () => {
    mini = await loadDataset('mini');
  });

  test('swapped solutions, tests that assert nothing, and a sound task between them', async () => {
    const [first, second, third] = mini.tasks;
    if (!first || !second || !third) throw new Error('mini holds no three tasks');
    const tasks = [
      { ...first, buggy: first.canonical, canonical: first.buggy },
      second,
      { ...third, tests: 'def check(candidate):\n    pass\n\ncheck(initials_of)' },
    ];
    const seen: string[] = [];
    const report = await verifyDataset({ tasks }, sandbox, {
      onProgress: (done, total) => seen.push(`${done}/${total}`),
    });
    expect(report.canonical).toEqual({ passed: 1, total: 3 });
    expect(report.buggy).toEqual({ passed: 1, total: 3 });
    expect(report.problems.map(({ taskId, fault }) => [taskId, fault])).toEqual([
      ['mini/0', 'canonical fails'],
      ['mini/0', 'buggy passes'],
      ['mini/2', 'invalid tests'],
    ]);
    expect(seen).toEqual(['1/3', '2/3', '3/3']);
  });

  test('an abort rejects with its reason', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    const report = verifyDataset(mini, sandbox, {
      signal: abort.signal,
      onProgress: () => abort.abort(reason),
    });
    await expect(report).rejects.toBe(reason);
  });
});

test('a failing sandbox is an error, not a problem of the tasks', async () => {
  const closed = await createPythonSandbox();
  await closed.close();
  await expect(verifyDataset(await loadDataset('mini'), closed)).rejects.toMatchObject({
    code: 'SANDBOX_CLOSED',
  });
});
