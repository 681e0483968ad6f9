import { expect, test } from 'vitest';
import { loadDataset } from '../../dataset/load.ts';
import { verifyDataset } from '../../dataset/verify.ts';
import { createSandbox, processStarters } from '../../lib/sandbox/create-sandbox.ts';
import { hasToolchain } from '../sandbox/compiled/toolchains.ts';

test.skipIf(!hasToolchain('cpp'))(
  'mini-cpp: every canonical solution passes, no buggy one does',
  async () => {
    const sandbox = await createSandbox(processStarters({ timeoutSeconds: 10 }), 'cpp');
    const { tasks } = await loadDataset('mini-cpp');
    const report = await verifyDataset({ tasks }, sandbox, { workers: 2 });
    const withExamples = tasks.filter(task => task.exampleTests !== '');
    const examples = await verifyDataset(
      { tasks: withExamples.map(task => ({ ...task, tests: task.exampleTests })) },
      sandbox,
      { workers: 2 },
    );
    await sandbox.close();
    expect(report).toEqual({
      canonical: { passed: 20, total: 20 },
      buggy: { passed: 0, total: 20 },
      problems: [],
    });
    expect(examples.canonical).toEqual({ passed: 19, total: 19 });
  },
  600_000,
);
