import { realpathSync } from 'node:fs';

/** The absolute path with symbolic links resolved, or unchanged if the file does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
