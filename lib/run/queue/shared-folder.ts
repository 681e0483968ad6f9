import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { outNotWritable } from '../../files/errors.ts';
import { shardsNotShared, shardsTaken } from './errors.ts';

/**
 * Prepares the folder that collects the records of a run. It holds the run's id, by which a worker finds out whether it
 * sees the same folder. Rejects with `OUT_NOT_WRITABLE`, or with `SHARDS_TAKEN` if it belongs to another run.
 */
export async function prepareShards(folder: string, runId: string): Promise<void> {
  try {
    await ensureDirectory(folder);
    // Appended, so that of two runs that start at once the first one gets the folder; a resumed run adds its id again.
    await writeFile(join(folder, PROBE), runId, { flag: 'a' });
  } catch (cause) {
    throw outNotWritable(folder, cause);
  }
  if (!(await belongsTo(folder, runId))) throw shardsTaken(folder);
}

/** Rejects with `SHARDS_NOT_SHARED` if this is not the folder that the coordinator prepared. */
export async function checkShards(folder: string, runId: string): Promise<void> {
  if (!(await belongsTo(folder, runId))) throw shardsNotShared(folder);
}

async function belongsTo(folder: string, runId: string): Promise<boolean> {
  const found = await readFile(join(folder, PROBE), 'utf8').catch(() => '');
  return found.startsWith(runId);
}

const PROBE = 'run-id';
