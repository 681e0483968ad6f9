import { closestMatch } from 'leven';

/** The known name that a mistyped one was probably meant to be, if any is similar enough. */
export function closest(name: string, known: readonly string[]): string | undefined {
  // Two letters are far from everything: `-z` was not meant to be `-i`.
  if (name.length < 3) return undefined;
  return closestMatch(name, known, { maxDistance: Math.max(2, Math.floor(name.length / 3)) });
}
