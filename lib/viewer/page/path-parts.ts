/** The states of a path from `start` up to, but not including, `end`. */
export interface PathPart {
  readonly start: number;
  readonly end: number;
}

/**
 * The part of the path that belongs to each attempt: from the state that asked the model up to the next
 * attempt's. Each attempt is examined once, right after its answer. Null if the path does not show as many
 * attempts.
 */
export function pathParts(path: readonly string[], attempts: number): PathPart[] | null {
  const examined = path.flatMap((state, index) => (state === 'examine' ? [index] : []));
  // An attempt that failed after its examination was not recorded.
  if (attempts === 0 || examined.length < attempts) return null;
  const starts = examined.map(index => Math.max(0, index - 1));
  return starts.slice(0, attempts).map((start, index) => ({
    start: index === 0 ? 0 : start,
    end: index === attempts - 1 ? path.length : (starts[index + 1] ?? path.length),
  }));
}
