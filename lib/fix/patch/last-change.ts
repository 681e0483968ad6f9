import { join } from 'node:path';
import { z } from 'zod';
import { cacheFolder, openOwnCache } from '../../files/own-cache.ts';
import { readSource } from './source-file.ts';
import type { FileChange } from './unified-diff.ts';

/** A change that `hefix fix` showed and did not write. */
export interface LastChange {
  /** What to repair, as it was named; empty for none. */
  readonly target: string;
  /** Absolute path of the project's folder. */
  readonly project: string;
  /** Whether it passes and is not called a repair. */
  readonly isUnsure: boolean;
  readonly changes: readonly FileChange[];
}

const bytesSchema = z.base64().transform(text => Buffer.from(text, 'base64'));
const keptSchema = z.strictObject({
  target: z.string(),
  project: z.string(),
  isUnsure: z.boolean(),
  changes: z.array(
    z.strictObject({ path: z.string(), isNew: z.boolean(), before: bytesSchema, after: bytesSchema }),
  ),
});

type Environment = Readonly<Record<string, string | undefined>>;

/** Keeps the last change that was shown in a folder; null forgets it. Failures are ignored. */
export async function keepLastChange(cwd: string, env: Environment, last: LastChange | null): Promise<void> {
  const changes = last?.changes.map(({ file, after }) => ({
    ...{ path: file.path, isNew: file.isNew === true },
    before: file.bytes.toString('base64'),
    after: after.toString('base64'),
  }));
  await cacheOf(env).write(cwd, last && { ...last, changes });
}

/** The last change that was shown in a folder; null if there is none, or if it was written. */
export async function readLastChange(cwd: string, env: Environment): Promise<LastChange | null> {
  const { data } = keptSchema.safeParse(await cacheOf(env).read(cwd));
  if (data === undefined) return null;
  const changes = data.changes.map(({ path, isNew, before, after }) => ({
    file: { ...readSource(path, before), ...(isNew ? { isNew } : {}) },
    after,
  }));
  return { ...data, changes };
}

function cacheOf(env: Environment) {
  return openOwnCache(join(cacheFolder(env), 'changes'));
}
