/** The sum of one number of each value. */
export function sumOf<T>(values: readonly T[], number: (value: T) => number): number {
  return values.reduce((total, value) => total + number(value), 0);
}

/** Seconds in the records' resolution: milliseconds. */
export function roundedSeconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
