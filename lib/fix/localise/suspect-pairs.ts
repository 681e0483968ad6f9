import type { TestResult } from '../../core/project-tests.ts';
import { executes } from './functions.ts';
import type { Suspect } from './suspects.ts';

/** Number of suspects that are paired, and of their pairs. */
const MAX_PAIRED = 8;
const MAX_PAIRS = 3;

/** Two functions of one file that the same failing test executes, the most suspicious pairs first. */
export function suspectPairs(
  suspects: readonly Suspect[],
  tests: readonly TestResult[],
): (readonly [Suspect, Suspect])[] {
  const failing = tests.filter(({ outcome }) => outcome === 'failed');
  const arePair = ({ function: one }: Suspect, { function: other }: Suspect): boolean =>
    one.file.path === other.file.path &&
    one.name !== other.name &&
    (one.lastLine < other.firstLine || other.lastLine < one.firstLine) &&
    failing.some(test => executes(test, one) && executes(test, other));
  return suspects
    .slice(0, MAX_PAIRED)
    .flatMap((other, place) =>
      suspects
        .slice(0, place)
        .filter(one => arePair(one, other))
        .map(one => [one, other] as const),
    )
    .slice(0, MAX_PAIRS);
}
