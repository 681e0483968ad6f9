import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDataset } from '../../../dataset/load.ts';
import { manifestPath, readManifest } from '../../../lib/report/results/manifest.ts';
import { taskAnswer } from '../../../lib/report/viewer/routes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { recordsOf, writeRun } from './runs.ts';

async function manifestWith(run: { dataset: string; fingerprint?: string }) {
  const path = await writeRun(join(await temporaryFolder(), 'a.jsonl'), recordsOf(1, 1), run);
  return await readManifest(manifestPath(path));
}

test('reads a task’s canonical solution and tests from the run’s dataset', async () => {
  const { fingerprint, tasks } = await loadDataset('mini');
  const [task] = tasks;
  const manifest = await manifestWith({ dataset: 'mini', fingerprint });
  expect(await taskAnswer(manifest, task?.id ?? '')).toEqual({
    canonical: task?.canonical,
    tests: task?.tests,
  });
  expect(await taskAnswer(manifest, 'mini/none')).toBeNull();
});

test('reports a changed or missing dataset, and downloads nothing', async () => {
  const changed = await manifestWith({ dataset: 'mini' });
  await expect(taskAnswer(changed, 'mini/0')).rejects.toMatchObject({ code: 'DATASET_CHANGED' });
  const gone = await manifestWith({ dataset: 'gone.parquet' });
  await expect(taskAnswer(gone, 'mini/0')).rejects.toMatchObject({ code: 'DATASET_NOT_FOUND' });
  const remote = await manifestWith({ dataset: 'nobody/nothing' });
  await expect(taskAnswer(remote, 'mini/0')).rejects.toMatchObject({ code: /^HUB_|^DATASET_/ });
});
