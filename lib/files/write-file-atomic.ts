import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { outNotWritable } from '../core/errors.ts';

/**
 * Writes the whole file or nothing: a reader never sees half of it, a kill leaves what was there before, and a
 * failure leaves neither an open file nor a temporary one.
 * @throws HefixError (`OUT_NOT_WRITABLE`)
 */
export async function writeFileAtomic(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomUUID()}.tmp`;
  try {
    await writeDurably(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw outNotWritable(path, error);
  }
}

async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
    await file.datasync();
  } finally {
    await file.close();
  }
}
