import { describe, expect, test } from 'vitest';
import { loadDataset } from '../../../dataset/load.ts';
import { createSandbox, processStarters } from '../../../lib/sandbox/create-sandbox.ts';
import { needs } from '../../support/needs.ts';
import { sharedData, sharedFile } from '../../support/shared-data.ts';
import { verifyDataset } from '../../support/verify-dataset.ts';
import { toolchain } from './toolchains.ts';

const languages = ['cpp', 'go', 'java', 'rust'] as const;

describe.each(languages)("HumanEvalPack's tasks in %s", language => {
  const path = sharedData(`humanevalpack/${language}.even.jsonl.gz`);

  test('every canonical solution passes, no buggy one does (each eighth task)', {
    ...needs(sharedFile(path), toolchain(language)),
    timeout: 900_000,
  }, async () => {
    const sandbox = await createSandbox(processStarters({ timeoutSeconds: 20 }), language);
    // All tasks: hefix verify --dataset FILE.
    const dataset = await loadDataset(path ?? '');
    const tasks = dataset.tasks.filter((_, index) => index % 8 === 0);
    const report = await verifyDataset({ ...dataset, tasks }, sandbox, { workers: 2 });
    await sandbox.close();
    expect(report).toEqual({
      canonical: { passed: 11, total: 11 },
      buggy: { passed: 0, total: 11 },
      problems: [],
    });
  });
});
