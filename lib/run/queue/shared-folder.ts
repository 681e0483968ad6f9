import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outNotWritable, shardsNotShared, shardsTaken } from '../../core/errors.ts';
import { ensureDirectory } from '../../files/ensure-directory.ts';

/**
 * Prepares the folder that collects the records of a run. It holds the run's id, by which a worker finds out whether it
 * sees the same folder. Rejects with `OUT_NOT_WRITABLE`, or with `SHARDS_TAKEN` if it belongs to another run.
 */
export async function prepareShards(folder: string, runId: string): Promise<void> {
  const path = join(folder, PROBE);
  try {
    await ensureDirectory(folder);
    await writeFile(path, runId, { flag: 'a' });
  } catch (cause) {
    throw outNotWritable(folder, cause);
  }
  const found = await readFile(path, 'utf8');
  if (found === runId) return;
  // Appended once more by this run, or by another coordinator of it.
  if (found.startsWith(runId)) await writeFile(path, runId);
  else throw shardsTaken(folder);
}

/** Rejects with `SHARDS_NOT_SHARED` if this is not the folder that the coordinator prepared. */
export async function checkShards(folder: string, runId: string): Promise<void> {
  const found = await readFile(join(folder, PROBE), 'utf8').catch(() => '');
  if (!found.startsWith(runId)) throw shardsNotShared(folder);
}

const PROBE = 'run-id';
