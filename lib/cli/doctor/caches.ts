import { constants, existsSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sumOf } from '../../core/numbers.ts';
import { extras } from '../../extras.ts';
import { filesBelow } from '../../files/files-below.ts';
import { type Finding, good, missing } from './finding.ts';

/** The folders of hefix's cache, and how large each may grow. */
export const caches: Readonly<Record<string, string>> = {
  graphs: 'a copy of the graph of each model that was opened, made by this version of hefix',
  models: 'each model that was built, once for each weight type, about as large as its weights in that type',
  replies: 'every reply with --cache, without a limit',
  python: 'up to 1 MiB for each interpreter, for 30 days',
  isolation: 'up to 1 MiB, for 30 days',
  changes: 'the files of the last change in each folder, before and after, for 30 days',
  ...Object.fromEntries(extras.flatMap(({ caches = {} }) => Object.entries(caches))),
};

/** Where the cache is, how much is in it, and how much may be. */
export async function checkCaches(folder: string): Promise<Finding[]> {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    await access(existing, constants.W_OK);
    const { bavail, bsize } = await statfs(existing);
    const limits = Object.entries(caches).map(async ([name, limit]) =>
      good('cache', `${name}: ${sizeText(await bytesIn(join(folder, name)))}; ${limit}`),
    );
    const free = ((bavail * bsize) / 2 ** 30).toFixed(0);
    return [good('cache', `${folder}, ${free} GiB free`), ...(await Promise.all(limits))];
  } catch {
    const advice = 'Make it writable, or set HEFIX_CACHE to another folder.';
    return [missing('cache', `${folder} cannot be written`, advice)];
  }
}

/** Without files that have another name elsewhere, as the hub's weights do. */
async function bytesIn(folder: string): Promise<number> {
  const unshared = (await filesBelow(folder)).filter(({ nlink }) => nlink === 1);
  return sumOf(unshared, ({ size }) => size);
}

function sizeText(bytes: number): string {
  return bytes === 0 ? 'empty' : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
