import { basename, dirname, join } from 'node:path';
import { closestMatch } from 'leven';
import { namesIn } from './paths.ts';

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
