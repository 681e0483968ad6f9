import { availableParallelism } from 'node:os';
import type { Dataset } from '../../dataset/load.ts';
import type { Sandbox } from '../core/ports.ts';
import type { Language } from '../core/task.ts';
import { extras } from '../extras.ts';
import { optionConflict } from '../options/option.ts';
import { readEnvironment, readHubEnvironment } from '../options/settings.ts';
import type { RunOptions, sandboxOptions } from '../options/tables/run-options.ts';
import { createSandbox, processStarters, type SandboxStarters } from '../sandbox/create-sandbox.ts';
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
  const { loadDataset } = await import('../../dataset/load.ts');
  return await loadDataset(dataset, {
    language: lang,
    columns,
    env: readHubEnvironment(process.cwd(), process.env),
    ...(signal && { signal }),
    ...(revision === undefined ? {} : { revision }),
    onProgress: progress => onPreparing({ kind: 'fetching', name: dataset, progress }),
  });
}

export type SandboxChoice = Pick<RunOptions, keyof typeof sandboxOptions> & {
  /** Number of concurrent tasks; defaults to one. With 0, nothing is started ahead. */
  readonly workers?: number;
  /**
   * True starts Python's sandbox sooner, at the level that an earlier process found; executions fail if that has
   * changed. False determines the level again.
   */
  readonly recall?: boolean;
  /** Hash seed of Python candidates, from 0 to 4294967295; defaults to 0. */
  readonly hashSeed?: number;
};

export type OpenSandbox = typeof openSandbox;

/**
 * Opens the sandbox that the options ask for, started for one language. Rejects with a HefixError if this
 * system does not support it, or with the signal's reason.
 */
export async function openSandbox(
  options: SandboxChoice,
  language: Language,
  signal?: AbortSignal,
): Promise<Sandbox> {
  return await createSandbox(startersFor(options), language, signal);
}

function startersFor(options: SandboxChoice): SandboxStarters {
  const { sandbox, timeout: timeoutSeconds, memory: memoryMiB, hashSeed = 0, requireIsolation } = options;
  const limits = { timeoutSeconds, memoryMiB, hashSeed };
  const extra = extras.flatMap(({ sandboxes }) => sandboxes?.[sandbox] ?? [])[0];
  if (extra) {
    if (options.isolation !== undefined) throw optionConflict('--isolation', `--sandbox ${sandbox}`);
    return {
      python: () => extra.start({ ...limits, requireIsolation }, readEnvironment(process.cwd(), process.env)),
    };
  }
  const { isolation, recall, workers = 1 } = options;
  return processStarters({ ...limits, poolSize: poolSizeFor(workers), isolation, requireIsolation, recall });
}

/**
 * Number of waiting pairs of interpreters: one per concurrent task and one that is starting, but no more than two for
 * each processor.
 */
export function poolSizeFor(workers: number, cores = availableParallelism()): number {
  return workers === 0 ? 0 : Math.min(workers + 1, Math.max(2, 2 * cores));
}
