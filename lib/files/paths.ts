import { realpathSync } from 'node:fs';
import { listUntrusted } from './untrusted-file.ts';

/** The names in a folder, which may be a link; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  return listUntrusted(folder, '', MAX_NAMES).map(({ name }) => name);
}

/** More than any folder of packages has. */
const MAX_NAMES = 100_000;

/** The absolute path with symbolic links resolved, or unchanged if the file does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
