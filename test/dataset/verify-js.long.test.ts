import { describe, expect, onTestFinished, test } from 'vitest';
import { loadDataset } from '../../dataset/load.ts';
import { createJavaScriptSandbox } from '../../lib/sandbox/javascript/host/javascript-sandbox.ts';
import { isolatedVm, needs } from '../support/needs.ts';
import { verifyDataset } from '../support/verify-dataset.ts';

const hasIsolates = await import('isolated-vm').then(
  () => true,
  () => false,
);

describe('mini-js', needs({ what: isolatedVm, isThere: hasIsolates }), () => {
  test('every canonical solution passes, no buggy one does', async () => {
    const report = await verifyDataset(await loadDataset('mini-js'), await openSandbox(), { workers: 2 });
    expect(report).toEqual({
      canonical: { passed: 22, total: 22 },
      buggy: { passed: 0, total: 22 },
      problems: [],
    });
  });

  test('the docstring examples agree with the canonical solutions', async () => {
    const tasks = (await loadDataset('mini-js')).tasks.map(task => ({ ...task, tests: task.exampleTests }));
    const report = await verifyDataset({ tasks }, await openSandbox(), { workers: 2 });
    expect(report.canonical).toEqual({ passed: 22, total: 22 });
  });
});

async function openSandbox() {
  const sandbox = await createJavaScriptSandbox({ timeoutSeconds: 3 });
  onTestFinished(() => sandbox.close());
  return sandbox;
}
