import { type Dataset, loadDataset } from '../../dataset/load.ts';
import { readHubEnvironment } from '../options/environment.ts';
import type { RunOptions } from '../options/tables/run-options.ts';
import type { Preparation } from './run-events.ts';

/** Context for opening a dataset. */
export interface DatasetContext {
  /** Reports the progress of a dataset's download. */
  readonly onPreparing?: (step: Preparation) => void;
  readonly signal?: AbortSignal;
  /** The hub's commit to use instead of the newest cached one; ignored for other sources. */
  readonly revision?: string | undefined;
}

/**
 * The dataset of `--dataset`, `--lang` and `--columns`. Rejects with the DATASET_ errors, the HUB_ errors, or the signal's
 * reason if aborted.
 */
export async function openDataset(
  { dataset, lang, columns }: Pick<RunOptions, 'dataset' | 'lang' | 'columns'>,
  { onPreparing = () => {}, signal, revision }: DatasetContext = {},
): Promise<Dataset> {
  return await loadDataset(dataset, {
    language: lang,
    columns,
    env: readHubEnvironment(process.cwd(), process.env),
    ...(signal && { signal }),
    ...(revision === undefined ? {} : { revision }),
    onProgress: progress => onPreparing({ kind: 'fetching', name: dataset, progress }),
  });
}
