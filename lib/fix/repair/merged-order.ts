/** The larger, the less the first places count. */
const MERGING = 20;

/**
 * Two orders as one, by reciprocal rank fusion: the own order of the items and another, in which a place is a whole
 * number from 0. What either puts first comes early.
 */
export function mergedOrder(count: number, placeOf: (item: number) => number): number[] {
  const shareOf = (item: number): number => 1 / (MERGING + item) + 1 / (MERGING + placeOf(item));
  return Array.from({ length: count }, (_, item) => item).toSorted((a, b) => shareOf(b) - shareOf(a));
}
