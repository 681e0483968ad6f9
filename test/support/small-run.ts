import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunRecord } from '../../lib/core/record.ts';
import { parseRecords } from '../../lib/report/results/read-results.ts';
import { writeSmallSet } from './cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Arguments of a run of `count` tasks with a scripted model, which repairs all of them. */
export async function smallRun(count: number) {
  const folder = await temporaryFolder();
  const { dataset, script } = await writeSmallSet(folder, count);
  const args = ['--backend', 'scripted', '--model', script, '--dataset', dataset, '--iters', '2'];
  return { folder, args, out: join(folder, 'r.jsonl') };
}

export async function recordsIn(path: string): Promise<RunRecord[]> {
  return parseRecords(path, await readFile(path)).records;
}

/** Bytes of a file; 0 if it does not exist. */
export async function size(path: string): Promise<number> {
  return (await stat(path).catch(() => ({ size: 0 }))).size;
}

/** Resolves when a run has written its first record; throws if the run ends without one. */
export async function firstRecord(path: string, run: PromiseLike<unknown>): Promise<void> {
  let hasEnded = false;
  void run.then(() => {
    hasEnded = true;
  });
  while ((await size(path)) === 0) {
    if (hasEnded) throw new Error(`The run ended before ${path} was written.`);
    await wait(5);
  }
}
