import { existsSync } from 'node:fs';
import { access, constants, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { outNotWritable } from '../../files/errors.ts';
import { realPath } from '../../files/paths.ts';
import { readUntrusted } from '../../files/untrusted-file.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { fileChanged, fileReadOnly } from '../errors.ts';
import { isWithin } from '../project/boundary.ts';
import type { FileChange } from './unified-diff.ts';

/**
 * Writes the changes into the project. Each file is replaced atomically and keeps its permissions; all files
 * are checked before the first is written. @param backup keep the previous content as `NAME.orig`
 * @returns the absolute paths of all files that were written
 * @throws HefixError `FILE_CHANGED` if a file has changed since it was repaired, `FILE_READ_ONLY`,
 * `OUT_NOT_WRITABLE`
 */
export async function writeChanges(
  root: string,
  changes: readonly FileChange[],
  backup: boolean,
): Promise<string[]> {
  const checked = await Promise.all(changes.map(change => checkedChange(root, change)));
  const written: string[] = [];
  const write = async (path: string, content: Buffer, mode: number): Promise<void> => {
    await writeFileAtomic(path, content, mode);
    written.push(path);
  };
  for (const { path, mode, before, after } of checked) {
    if (backup && before !== null) await write(`${path}.orig`, before, mode);
    await write(path, after, mode);
  }
  return written;
}

/**
 * The permissions of a file or a folder; 0 if it does not exist. A file is replaced, so its folder counts too.
 * @throws HefixError `FILE_READ_ONLY`
 */
export async function checkWritable(path: string, named = path): Promise<number> {
  const stats = await stat(path).catch(() => null);
  if (stats === null) return 0;
  if (!stats.isDirectory()) await checkWritable(dirname(path), named);
  // Root may write files that are marked as read-only, but not to a file system that is.
  const isRefused = await access(path, constants.W_OK).then(
    () => false,
    () => true,
  );
  if (isRefused || (stats.mode & 0o222) === 0) throw fileReadOnly(named);
  return stats.mode & 0o7777;
}

/** Whether the folder of `--patch` can be written. @throws HefixError `OUT_NOT_WRITABLE` */
export async function checkPatch(path: string): Promise<void> {
  await access(dirname(resolve(path)), constants.W_OK).catch(cause => {
    throw outNotWritable(path, cause, '--patch');
  });
}

interface Checked {
  /** Follows symbolic links in the project, so that links stay links. */
  readonly path: string;
  readonly mode: number;
  /** Null for a new file. */
  readonly before: Buffer | null;
  readonly after: Buffer;
}

const NEW_FILE = 0o644;

async function checkedChange(root: string, { file, after }: FileChange): Promise<Checked> {
  const named = join(root, file.path);
  if (file.isNew) {
    if (existsSync(named)) throw fileChanged(named);
    // The folder may be a link.
    const folder = await realpath(dirname(named));
    if (!isWithin(folder, realPath(root))) throw fileChanged(named);
    await checkWritable(folder, named);
    return { path: join(folder, basename(named)), mode: NEW_FILE, before: null, after };
  }
  const path = await realpath(named).catch(() => named);
  const place = relative(realPath(root), path).split(sep).join('/');
  const before = readUntrusted(root, place, file.bytes.length);
  if (before === null || !before.equals(file.bytes)) throw fileChanged(named);
  const mode = await checkWritable(path, named);
  return { path, mode, before, after };
}
