import { describe, expect, onTestFinished, test } from 'vitest';
import { loadDataset } from '../../../dataset/load.ts';
import { createSandbox, processStarters } from '../../../lib/sandbox/create-sandbox.ts';
import { needs } from '../../support/needs.ts';
import { verifyDataset } from '../../support/verify-dataset.ts';
import { toolchain } from './toolchains.ts';

describe.each(['cpp', 'go', 'java', 'rust'] as const)('mini-%s', language => {
  const set = `mini-${language}`;

  test('every canonical solution passes, no buggy one does, and the examples agree', {
    ...needs(toolchain(language)),
    timeout: 600_000,
  }, async () => {
    const sandbox = await createSandbox(processStarters({ timeoutSeconds: 10 }), language);
    onTestFinished(() => sandbox.close());
    const { tasks } = await loadDataset(set);
    const report = await verifyDataset({ tasks }, sandbox, { workers: 2 });
    expect(report).toEqual({
      canonical: { passed: tasks.length, total: tasks.length },
      buggy: { passed: 0, total: tasks.length },
      problems: [],
    });
    const byExamples = tasks.map(task => ({ ...task, tests: task.exampleTests }));
    const { canonical } = await verifyDataset({ tasks: byExamples }, sandbox, { workers: 2 });
    expect(canonical).toEqual({ passed: tasks.length, total: tasks.length });
  });
});
