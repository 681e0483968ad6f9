/** Names in a file that may occur in a repair of one of its functions. */
export interface FileNames {
  /** Attributes of `self` or `this`. */
  readonly attributes: readonly string[];
  /** Top-level functions of the file. */
  readonly functions: readonly string[];
}

/** Maximum number of each kind; in a large file, more distant names are unlikely. */
const MAX_NAMES = 12;

/** @param near 1-based line of the function; names close to it come first */
export function fileNames(text: string, near: number): FileNames {
  const found = (pattern: RegExp): string[] => {
    const places = [...text.matchAll(pattern)].map(({ index, 1: name = '' }) => ({
      name,
      distance: Math.abs(text.slice(0, index).split('\n').length - near),
    }));
    const nearest = places.toSorted((a, b) => a.distance - b.distance).map(({ name }) => name);
    return [...new Set(nearest)].slice(0, MAX_NAMES);
  };
  return {
    attributes: found(/\b(?:self|this)\.(#?\w+)(?!\w|\s*\()/g),
    functions: found(/^(?:export\s+)?(?:async\s+)?(?:def|function)\s+(\w+)/gm),
  };
}
