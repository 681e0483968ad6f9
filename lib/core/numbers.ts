/** The smallest value; Infinity if there are none. `Math.min` takes no more than some 100,000 arguments. */
export function smallestOf(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
}

/** The sum of one number of each value. */
export function sumOf<T>(values: readonly T[], number: (value: T) => number): number {
  return values.reduce((total, value) => total + number(value), 0);
}

/** The middle of the values, or the mean of the two in the middle; null if there are none. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** Seconds in the records' resolution: milliseconds. */
export function roundedSeconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
