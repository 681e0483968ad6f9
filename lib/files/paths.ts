import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { closestMatch } from 'leven';
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

/** What to do about a path that cannot be read: a neighbour with a similar name was probably meant. */
export function pathHint(path: string, otherwise = 'Check the path.'): string {
  const nearest = nearestPath(path);
  return nearest === undefined ? otherwise : `Did you mean ${nearest}?`;
}

function nearestPath(path: string): string | undefined {
  const [folder, name] = [dirname(path), basename(path)];
  // In order, so that of two that are as similar the same one is suggested.
  const names = namesIn(folder).sort();
  // The file is there: something else is wrong with it.
  if (names.includes(name)) return undefined;
  const nearest = closestMatch(name, names, { maxDistance: Math.max(1, Math.floor(name.length / 4)) });
  return nearest && join(folder, nearest);
}
