import { loadDataset } from '../../dataset/load.ts';
import { HefixError } from '../core/errors.ts';
import { readEnvironment } from '../options/environment.ts';
import type { Manifest } from '../results/manifest.ts';
import type { TaskAnswer } from './view-data.ts';

/**
 * A task's canonical solution and tests, from the dataset in the manifest: bundled, a file, or cached from
 * the hub. Nothing is downloaded. Null if the dataset has no such task.
 * @throws HefixError (the `DATASET_` and `HUB_` errors; `DATASET_CHANGED` if it is not the dataset of the
 * run)
 */
export async function taskAnswer({ dataset, options }: Manifest, taskId: string): Promise<TaskAnswer | null> {
  const { fingerprint, tasks } = await loadDataset(options.dataset ?? dataset.name, {
    language: options.lang,
    columns: options.columns,
    env: { ...readEnvironment(process.cwd(), process.env), HF_HUB_OFFLINE: '1' },
    ...(dataset.revision === undefined ? {} : { revision: dataset.revision }),
  });
  if (fingerprint !== dataset.fingerprint) throw datasetChanged(dataset.name);
  const task = tasks.find(({ id }) => id === taskId);
  return task === undefined ? null : { canonical: task.canonical, tests: task.tests };
}

/** Its fingerprint is not the manifest's, so its tasks may differ. */
export function datasetChanged(name: string): HefixError {
  return new HefixError(
    'DATASET_CHANGED',
    `The dataset ${name} has changed since the run.`,
    'Give the version that the run used.',
  );
}
