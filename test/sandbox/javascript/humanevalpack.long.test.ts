import { describe, expect, test } from 'vitest';
import { loadDataset } from '../../../dataset/load.ts';
import { createJavaScriptSandbox } from '../../../lib/sandbox/javascript/host/javascript-sandbox.ts';
import { sharedData } from '../../support/shared-data.ts';

const path = sharedData('humanevalpack/js.even.jsonl.gz');

describe.skipIf(path === null)("HumanEvalPack's JavaScript tasks", () => {
  test('every canonical solution passes, no buggy one does', { timeout: 600_000 }, async () => {
    const { tasks } = await loadDataset(path ?? '');
    const sandbox = await createJavaScriptSandbox({ timeoutSeconds: 20 });
    const wrong: string[] = [];
    const judge = async (id: string, candidate: string, task: (typeof tasks)[number]): Promise<boolean> => {
      const { tests, entryPoint, declaration } = task;
      const { verdict } = await sandbox.execute({
        language: 'js',
        candidate,
        tests,
        entryPoint,
        declaration,
      });
      if (verdict.kind === 'failed') expect(verdict.test?.source, id).toMatch(/console\.assert/);
      return verdict.kind === 'passed';
    };
    for (const task of tasks) {
      if (!(await judge(task.id, task.canonical, task))) wrong.push(`${task.id}: canonical`);
      if (await judge(task.id, task.buggy, task)) wrong.push(`${task.id}: buggy`);
    }
    await sandbox.close();
    expect(tasks).toHaveLength(82);
    expect(wrong).toEqual([]);
  });
});
