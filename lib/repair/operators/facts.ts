import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants } from '../../syntax/nodes.ts';

/** The numbers in a text, without those that are part of a name. */
export function numbersIn(text: string): string[] {
  return [...text.matchAll(/[\w.]+/g)].flatMap(([word]) => NUMBER.exec(word)?.[1] ?? []);
}

/** With the full stop of a sentence. */
const NUMBER = /^(\d+(?:\.\d+)?)\.?$/;

/** Most numbers that are taken from each source. */
const MAX_NUMBERS = 6;

/**
 * Numbers that documentation and the code's comments name, without those of examples, which fit by chance, and then those
 * in names.
 * @param names of the function or constant, and of variables
 */
export function documentedNumbers(
  root: Node,
  documentation: readonly string[],
  names: readonly string[],
): string[] {
  const comments = descendants(root).filter(({ type }) => /comment$/.test(type));
  const texts = [...documentation, ...comments.map(({ text }) => text)];
  const said = texts.flatMap(text => numbersIn(withoutExamples(text)));
  const numbers = [...said, ...names.flatMap(numbersInName)];
  return [...new Set(numbers)].slice(0, MAX_NUMBERS);
}

/** `top_ten`, `topTen`, `MAX_RETRIES_3`; not `x_1`, and no number within a word, such as `base64`. */
export function numbersInName(name: string): string[] {
  const parts = name.split(/_+|(?<=[a-z])(?=[A-Z])/).map(word => word.toLowerCase());
  return parts.slice(1).flatMap(word => {
    const number = /^\d+$/.test(word) ? Number(word) : numberWords[word];
    return number === undefined || number < 3 ? [] : String(number);
  });
}

const numberWords: Readonly<Record<string, number>> = {
  ...{ three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12 },
  ...{ dozen: 12, twenty: 20, thirty: 30, forty: 40, fifty: 50, hundred: 100, thousand: 1000 },
};

/** A doctest ends with a blank line. */
function withoutExamples(text: string): string {
  let isExample = false;
  const lines = text.split('\n').filter(line => {
    isExample = line.trimStart().startsWith('>>>') || (isExample && line.trim() !== '');
    return !isExample;
  });
  return lines.join('\n');
}

const COMPARED_BEFORE = /(?:^|[^<>=-])[<>]=?\s*$/;
const COMPARED_AFTER = /^\s*[<>]=?(?![<>])/;
/** Characters around an operand in which its operator stands. */
const AROUND = 50;

/** Whether what stands there is an operand of `<`, `<=`, `>` or `>=`. */
export function isBoundary(
  code: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  return (
    COMPARED_BEFORE.test(code.slice(Math.max(0, start - AROUND), start)) ||
    COMPARED_AFTER.test(code.slice(end, end + AROUND))
  );
}

/** What the failing tests of a function say about its repair. */
export interface FailureFacts {
  /** Types of the exceptions that end failing tests, without those of assertions. */
  readonly raised: readonly string[];
  /** Exceptions that failing tests wait for. */
  readonly awaited: readonly AwaitedError[];
  /** Values that failing assertions compared, as source. */
  readonly values: readonly ComparedValues[];
  /** Texts in the failing assertions and their messages. */
  readonly texts: readonly string[];
  /** Numbers in the failing assertions. */
  readonly numbers: readonly string[];
  /** Numbers in other lines of the same files that call the function. */
  readonly otherNumbers: readonly string[];
}

export interface AwaitedError {
  /** As the function's file names it. */
  readonly type: string;
  /** What the message must match; null if that is not said. */
  readonly message: string | null;
}

export interface ComparedValues {
  readonly actual: string;
  readonly expected: string;
}

export const noFacts: FailureFacts = {
  ...{ raised: [], awaited: [], values: [], texts: [] },
  ...{ numbers: [], otherNumbers: [] },
};

/** Types of the exceptions that end failing tests, without their modules. */
export function raisedTypes({ raised }: Pick<FailureFacts, 'raised'>): string[] {
  return raised.map(type => type.replace(/^.*\./, ''));
}

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
  const namesMatching = (pattern: RegExp, limit = MAX_NAMES): string[] => {
    const places = [...text.matchAll(pattern)].map(({ index, 1: name = '' }) => ({
      name,
      distance: Math.abs(lineAt(index) - near),
    }));
    const nearest = places.toSorted((a, b) => a.distance - b.distance).map(({ name }) => name);
    return [...new Set(nearest)].slice(0, limit);
  };
  return {
    attributes: namesMatching(/\b(?:self|this)\.(#?\w+)(?!\w|\s*\()/g, MAX_ATTRIBUTES),
    members: namesMatching(/[\w\])]\.([a-z_]\w*)(?!\w|\s*\()/g),
    functions: namesMatching(/^(?:export\s+)?(?:async\s+)?(?:def|function)\s+(\w+)/gm),
    methods: namesMatching(/^[ \t]+def\s+(?!__)(\w+)\(self\)/gm),
    types: namesMatching(/\bisinstance\(\s*[\w.[\]]+\s*,\s*([\w.]+|\([\w., ]+\))\s*\)/g, MAX_TYPES),
    errors: namesMatching(/\braise\s+([\w.]+\([^()\n]*\))/g),
    keywords: keywordsIn(text),
  };
}

/** Gives the 1-based line of an index. */
function lineCounter(text: string): (index: number) => number {
  const starts = [0];
  for (let offset = text.indexOf('\n'); offset !== -1; offset = text.indexOf('\n', offset + 1))
    starts.push(offset + 1);
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
    const pairs = result.get(name) ?? [];
    for (const [pair] of list.matchAll(/(?<![\w.])\w+=[\w.'"-]+(?=\s*(?:,|$))/g)) {
      if (!pairs.includes(pair) && pairs.length < MAX_NAMES) pairs.push(pair);
    }
    result.set(name, pairs);
  }
  return result;
}
