import { expect, onTestFinished, test } from 'vitest';
import { loadDataset } from '../../dataset/load.ts';
import { verifyDataset } from '../../dataset/verify.ts';
import { createPythonSandbox } from '../../lib/sandbox/python/host/python-sandbox.ts';
import { sharedData } from '../support/shared-data.ts';

const real = sharedData('humanevalpack/python.even.jsonl.gz');
test.skipIf(real === null)(
  'HumanEvalPack, Python',
  async () => {
    const sandbox = await createPythonSandbox({ timeoutSeconds: 3 });
    onTestFinished(() => sandbox.close());
    const report = await verifyDataset(await loadDataset(real ?? ''), sandbox, { workers: 2 });
    expect(report).toEqual({
      canonical: { passed: 82, total: 82 },
      buggy: { passed: 0, total: 82 },
      problems: [],
    });
  },
  300_000,
);
