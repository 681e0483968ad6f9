import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { outNotWritable } from './errors.ts';
import { removeLeftovers, temporaryName } from './temporary-name.ts';

/**
 * Writes the whole file or nothing: readers never see a partial file, a kill leaves the previous contents,
 * and a failure leaves neither an open handle nor a temporary file. The temporary file of a killed process is removed by
 * the next write into its folder. The package write-file-atomic takes no streams.
 * @param mode permissions of the file; those of new files unless given
 * @throws HefixError (`OUT_NOT_WRITABLE`)
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  mode?: number,
): Promise<void> {
  await removeLeftovers(dirname(path));
  const temporary = temporaryName(path);
  try {
    await writeDurably(temporary, content, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw outNotWritable(path, error);
  }
}

async function writeDurably(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  mode?: number,
): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await writeFile(file, content);
    if (mode !== undefined) await file.chmod(mode);
    await file.datasync();
  } finally {
    await file.close();
  }
}
