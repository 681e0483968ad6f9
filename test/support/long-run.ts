import { getEventListeners } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sumOf } from '../../lib/core/numbers.ts';
import { run } from '../../lib/run/library/run.ts';
import { children } from './children.ts';
import { writeSmallSet } from './cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What the process held after a number of tasks. */
export interface Held {
  readonly tasks: number;
  /** Used heap after a collection and memory outside of it, in MiB. */
  readonly heap: number;
  /** Resident memory in MiB. */
  readonly resident: number;
  /** Open handles and pending requests; those of interpreters that are ready come and go. */
  readonly resources: number;
  /** Open file descriptors; 0 where the system does not tell. */
  readonly descriptors: number;
  /** Processes that this one started and that have not ended; 0 where the system does not tell. */
  readonly children: number;
  /** Listeners of this process's events and of the run's signal. */
  readonly listeners: number;
}

/** Repairs `count` tasks with a scripted model and eight workers; looks at the process after every `each` tasks. */
export async function longRun(count: number, each: number): Promise<readonly Held[]> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const folder = await temporaryFolder();
  const { dataset, script } = await writeSmallSet(folder, count);
  const held: Held[] = [];
  const { signal } = new AbortController();
  let tasks = 0;
  const look = () => {
    collect();
    const { heapUsed, external, rss } = process.memoryUsage();
    const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);
    held.push({
      tasks,
      heap: mebibytes(heapUsed + external),
      resident: mebibytes(rss),
      resources: process.getActiveResourcesInfo().length,
      descriptors: openDescriptors(),
      children: children().length,
      listeners:
        sumOf(process.eventNames(), name => process.listenerCount(name)) +
        getEventListeners(signal, 'abort').length,
    });
  };
  const { summary } = await run({
    backend: 'scripted',
    model: script,
    dataset,
    workers: 8,
    signal,
    out: join(folder, 'run.jsonl'),
    onRecord: () => {
      tasks++;
      if (tasks % each === 0) look();
    },
  });
  if (summary.solved !== count) throw new Error(`${summary.solved} of ${count} tasks were solved`);
  return held;
}

function openDescriptors(): number {
  return existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0;
}
