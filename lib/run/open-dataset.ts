import { type Dataset, loadDataset } from '../../dataset/load.ts';
import { readEnvironment } from '../options/environment.ts';
import type { RunOptions } from '../options/run-options.ts';
import type { Preparation } from '../terminal/preparation.ts';

/** What a data set is opened in. */
export interface DatasetContext {
  /** Reports how far the download of a data set is. */
  readonly onPreparing?: (step: Preparation) => void;
  readonly signal?: AbortSignal;
  /** The hub's commit to take instead of the newest one that is cached; ignored by what is not from there. */
  readonly revision?: string | undefined;
}

/**
 * The data set that `--dataset` and `--lang` name. Rejects with the DATASET_ errors, the HUB_ errors, or the signal's
 * reason if aborted.
 */
export async function openDataset(
  { dataset, lang }: Pick<RunOptions, 'dataset' | 'lang'>,
  { onPreparing = () => {}, signal, revision }: DatasetContext = {},
): Promise<Dataset> {
  return await loadDataset(dataset, {
    language: lang,
    env: readEnvironment(process.cwd(), process.env),
    ...(signal && { signal }),
    ...(revision === undefined ? {} : { revision }),
    onProgress: progress => onPreparing({ kind: 'fetching', name: dataset, progress }),
  });
}
