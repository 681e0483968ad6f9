import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { pathNotAllowed } from './errors.ts';

/** A path below one of the folders that the server was started with. */
export interface AllowedPath {
  /** The folder, with all links resolved. */
  readonly folder: string;
  /** The absolute path, with links resolved as far as it exists. */
  readonly path: string;
}

/**
 * Resolves links first, so that none leads outside of the folders. A relative path starts at the first
 * folder.
 * @throws HefixError (`PATH_NOT_ALLOWED`), whether or not the file exists.
 */
export function allowedPath(path: string, folders: readonly string[]): AllowedPath {
  const real = realPath(resolve(folders[0] ?? '.', path));
  const folder = folders.map(realPath).find(each => isInside(each, real));
  if (folder === undefined) throw pathNotAllowed(path, folders);
  return { folder, path: real };
}

/** If the path does not exist, resolves the part that does. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), relative(parent, path));
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
