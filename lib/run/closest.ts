import { closestMatch } from 'leven';

/** The known name that a mistyped one was most likely meant to be, if any is near enough. */
export function closest(name: string, known: readonly string[]): string | undefined {
  return closestMatch(name, known, { maxDistance: Math.max(1, Math.floor(name.length / 3)) });
}
