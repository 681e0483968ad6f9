import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { closestMatch } from 'leven';

/** What to do about a path that cannot be read: a neighbour with a similar name was probably meant. */
export function pathHint(path: string, otherwise = 'Check the path.'): string {
  const nearest = nearestPath(path);
  return nearest === undefined ? otherwise : `Did you mean ${nearest}?`;
}

function nearestPath(path: string): string | undefined {
  const [folder, name] = [dirname(path), basename(path)];
  const names = namesIn(folder);
  // The file is there: something else is wrong with it.
  if (names.includes(name)) return undefined;
  const nearest = closestMatch(name, names, { maxDistance: Math.max(1, Math.floor(name.length / 4)) });
  return nearest && join(folder, nearest);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
