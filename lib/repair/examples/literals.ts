import type { Language } from '../../core/task.ts';

/** Accepts words without quotes as strings: `f(abc)`. */
type IsText = (word: string) => boolean;

/** Of collections in each other. */
const MAX_DEPTH = 100;

const noText: IsText = () => false;

interface LiteralSyntax {
  readonly language: Language;
  /** Null unless the language is compiled. */
  readonly typed: TypedLiterals | null;
}

export interface TypedLiterals {
  /** A literal that is written with its type; null if there is none at this position. */
  read(text: string, start: number, inside: (position: number) => Literal | null): Literal | null;
}

/**
 * Reads a literal at a position in a text: numbers, strings, true, false, null, and lists, tuples, sets and
 * mappings of these. Docstrings mix the syntax of Python and JavaScript, so both are accepted, in compiled
 * languages also their own: `[]int{1, 2}`, `Arrays.asList(1, 2)`, `Some(3)`.
 */
export function readLiteral(
  text: string,
  from: number,
  syntax: LiteralSyntax,
  isText: IsText = noText,
  depth = 0,
): Literal | null {
  if (depth > MAX_DEPTH) return null;
  const { language, typed } = syntax;
  const start = skipBlanks(text, from);
  const inside = (position: number) => readLiteral(text, position, syntax, isText, depth + 1);
  const value = typed?.read(text, start, inside);
  if (value) return value;
  const rest = text.slice(start);
  const string = /^(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/.exec(rest)?.[0];
  if (string !== undefined) return literal(start, string, string, { kind: 'string', text: unquoted(string) });
  const number = /^[-+]?(?:\d[\d_]*\.\d+|\.\d+|\d[\d_]*)(?:e[-+]?\d+)?(?![\p{L}\d_])/iu.exec(rest)?.[0];
  if (number !== undefined) {
    const value: Value = { kind: 'number', text: number };
    return { ...literal(start, number, number, value), isFraction: /[.e]/i.test(number) };
  }
  const word = /^[\p{L}_][\p{L}\p{N}_]*(?![\p{L}\p{N}_(.[])/u.exec(rest)?.[0];
  if (word !== undefined) return readWord(word, start, syntax, isText);
  return readCollection(text, start, inside, language);
}

function literal(start: number, written: string, code: string, value: Value): Literal {
  return { end: start + written.length, code, isFraction: false, value };
}

function readWord(
  word: string,
  start: number,
  { language, typed }: LiteralSyntax,
  isText: IsText,
): Literal | null {
  const meaning = Object.hasOwn(meanings, word) ? meanings[word] : undefined;
  if (meaning) return literal(start, word, language === 'js' ? meaning.js : meaning.python, meaning.value);
  if (typed && /^(?:nil|nullptr|nullopt)$/.test(word)) return literal(start, word, word, { kind: 'nothing' });
  return isText(word) ? literal(start, word, JSON.stringify(word), { kind: 'string', text: word }) : null;
}

interface Meaning {
  readonly python: string;
  readonly js: string;
  readonly value: Value;
}

const yes: Meaning = { python: 'True', js: 'true', value: { kind: 'truth', holds: true } };
const no: Meaning = { python: 'False', js: 'false', value: { kind: 'truth', holds: false } };
const none: Meaning = { python: 'None', js: 'null', value: { kind: 'nothing' } };

const meanings: Readonly<Record<string, Meaning>> = {
  True: yes,
  true: yes,
  False: no,
  false: no,
  None: none,
  null: none,
  undefined: { ...none, js: 'undefined' },
};

const closing: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };

function readCollection(
  text: string,
  start: number,
  read: (position: number) => Literal | null,
  language: Language,
): Literal | null {
  const open = text[start] ?? '';
  const close = closing[open];
  if (!close) return null;
  const parts: string[] = [];
  const keys: Value[] = [];
  const items: Value[] = [];
  let position = skipBlanks(text, start + 1);
  let commas = 0;
  while (text[position] !== close) {
    const item = read(position);
    if (!item) return null;
    position = skipBlanks(text, item.end);
    parts.push(item.code);
    if (text[position] === ':' && open === '{') {
      parts.push(': ');
      keys.push(item.value);
    } else {
      items.push(item.value);
      if (text[position] === ',') {
        commas++;
        parts.push(', ');
      } else if (text[position] !== close) return null;
      else continue;
    }
    position = skipBlanks(text, position + 1);
  }
  const inner = parts.join('');
  const isList = language === 'js' && open === '(' && commas > 0;
  const [only] = items;
  const isInParentheses = open === '(' && commas === 0 && only !== undefined;
  return {
    end: position + 1,
    code: isList ? `[${inner}]` : open + inner + close,
    isFraction: false,
    value: isInParentheses ? only : collectionOf(keys, items),
  };
}

function collectionOf(keys: readonly Value[], items: readonly Value[]): Value {
  if (keys.length === 0 || keys.length !== items.length) return { kind: 'list', items };
  const entries = items.flatMap((item, index): [Value, Value][] => {
    const key = keys[index];
    return key ? [[key, item]] : [];
  });
  return { kind: 'map', entries };
}

/** A literal as written in a text, and in the language's own syntax. */
export interface Literal {
  readonly end: number;
  /** In Python or JavaScript; compiled languages write `value` by its declared type. */
  readonly code: string;
  /** A number with a fraction, which is usually rounded. */
  readonly isFraction: boolean;
  readonly value: Value;
}

/** What a literal means in any language. Tuples and sets are lists. */
export type Value =
  | { readonly kind: 'number' | 'string'; readonly text: string }
  | { readonly kind: 'truth'; readonly holds: boolean }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'some'; readonly value: Value }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [Value, Value])[] };

export function skipBlanks(text: string, from: number): number {
  const blanks = /\s*/y;
  blanks.lastIndex = from;
  return from + (blanks.exec(text)?.[0].length ?? 0);
}

/** The text of a string literal. */
export function unquoted(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\(?:u\{?([\da-f]{1,6})\}?|x([\da-f]{2})|(.))/gi, (_, unicode, byte, letter: string) =>
      letter === undefined ? characterOf(Number.parseInt(unicode ?? byte, 16)) : (escapes[letter] ?? letter),
    );
}

/** U+FFFD for what is beyond Unicode. */
function characterOf(code: number): string {
  return String.fromCodePoint(code > 0x10_ffff ? 0xfffd : code);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' };
