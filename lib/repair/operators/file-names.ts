/** Names in a file that may occur in a repair of one of its functions. */
export interface FileNames {
  /** Attributes of `self` or `this`. */
  readonly attributes: readonly string[];
  /** Attributes of anything. */
  readonly members: readonly string[];
  /** Top-level functions of the file. */
  readonly functions: readonly string[];
  /** Methods that take nothing but `self`. */
  readonly methods: readonly string[];
  /** Types that `isinstance` asks for. */
  readonly types: readonly string[];
  /** Errors that are raised, as `ValueError('…')`. */
  readonly errors: readonly string[];
  /** Arguments by keyword, as `key=len`, by the name of the function that gets them. */
  readonly keywords: ReadonlyMap<string, readonly string[]>;
}

export const noNames: FileNames = {
  attributes: [],
  members: [],
  functions: [],
  methods: [],
  types: [],
  errors: [],
  keywords: new Map(),
};

/** Maximum number of each kind; in a large file, more distant names are unlikely. */
const MAX_NAMES = 12;
/** They are only passed on under their own names. */
const MAX_ATTRIBUTES = 40;
/** Types make an edit with each variable. */
const MAX_TYPES = 4;

/** @param near 1-based line of the function; names close to it come first */
export function fileNames(text: string, near: number): FileNames {
  const lineAt = lineCounter(text);
  const found = (pattern: RegExp, limit = MAX_NAMES): string[] => {
    const places = [...text.matchAll(pattern)].map(({ index, 1: name = '' }) => ({
      name,
      distance: Math.abs(lineAt(index) - near),
    }));
    const nearest = places.toSorted((a, b) => a.distance - b.distance).map(({ name }) => name);
    return [...new Set(nearest)].slice(0, limit);
  };
  return {
    attributes: found(/\b(?:self|this)\.(#?\w+)(?!\w|\s*\()/g, MAX_ATTRIBUTES),
    members: found(/[\w\])]\.([a-z_]\w*)(?!\w|\s*\()/g),
    functions: found(/^(?:export\s+)?(?:async\s+)?(?:def|function)\s+(\w+)/gm),
    methods: found(/^[ \t]+def\s+(?!__)(\w+)\(self\)/gm),
    types: found(/\bisinstance\(\s*[\w.[\]]+\s*,\s*([\w.]+|\([\w., ]+\))\s*\)/g, MAX_TYPES),
    errors: found(/\braise\s+([\w.]+\([^()\n]*\))/g),
    keywords: keywordsIn(text),
  };
}

/** Gives the 1-based line of an index. */
function lineCounter(text: string): (index: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return index => {
    let [from, to] = [0, starts.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((starts[middle] ?? 0) <= index) from = middle + 1;
      else to = middle;
    }
    return from;
  };
}

function keywordsIn(text: string): Map<string, string[]> {
  const result = new Map<string, string[]>();
  for (const [, name = '', list = ''] of text.matchAll(/(?<!\bdef )\b(\w+)\(([^()=]*=[^()]*)\)/g)) {
    const known = result.get(name) ?? [];
    for (const [pair] of list.matchAll(/(?<![\w.])\w+=[\w.'"-]+(?=\s*(?:,|$))/g)) {
      if (!known.includes(pair) && known.length < MAX_NAMES) known.push(pair);
    }
    result.set(name, known);
  }
  return result;
}
