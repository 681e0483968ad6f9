import { open, rename } from 'node:fs/promises';
import { outNotWritable } from '../core/errors.ts';

/**
 * Writes the whole file or nothing: a reader never sees half of it, and a kill leaves what was there before.
 * @throws HefixError (`OUT_NOT_WRITABLE`)
 */
export async function writeFileAtomic(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'w');
    await file.writeFile(content);
    await file.datasync();
    await file.close();
    await rename(temporary, path);
  } catch (error) {
    throw outNotWritable(path, error);
  }
}
