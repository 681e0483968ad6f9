import type { Language } from '../core/task.ts';

/** A literal as written in a text, and in the language's own syntax. */
export interface Literal {
  readonly end: number;
  readonly code: string;
  /** A number with a fraction, which is usually rounded. */
  readonly isFraction: boolean;
}

/**
 * Reads a literal of Python or JavaScript at a position in a text: numbers, strings, true, false, null, and
 * lists, tuples, sets and mappings of these. Docstrings mix both languages' syntax, so both are accepted.
 * @param isText accepts words without quotes as strings: `f(abc)`.
 */
export function readLiteral(
  text: string,
  from: number,
  language: Language,
  isText: (word: string) => boolean = () => false,
): Literal | null {
  const start = skipBlanks(text, from);
  const rest = text.slice(start);
  const string = /^(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/.exec(rest)?.[0];
  if (string !== undefined) return { end: start + string.length, code: string, isFraction: false };
  const number = /^[-+]?(?:\d[\d_]*\.\d+|\.\d+|\d[\d_]*)(?:e[-+]?\d+)?(?![\p{L}\d_])/iu.exec(rest)?.[0];
  if (number !== undefined)
    return { end: start + number.length, code: number, isFraction: /[.e]/i.test(number) };
  const word = /^[\p{L}_][\p{L}\p{N}_]*(?![\p{L}\p{N}_(.[])/u.exec(rest)?.[0];
  if (word !== undefined) return readWord(word, start, language, isText);
  return readCollection(text, start, language, isText);
}

function readWord(
  word: string,
  start: number,
  language: Language,
  isText: (word: string) => boolean,
): Literal | null {
  const end = start + word.length;
  const meaning = meanings[word];
  if (meaning) return { end, code: language === 'js' ? meaning.js : meaning.python, isFraction: false };
  return isText(word) ? { end, code: JSON.stringify(word), isFraction: false } : null;
}

const meanings: Readonly<Record<string, { readonly python: string; readonly js: string }>> = {
  True: { python: 'True', js: 'true' },
  true: { python: 'True', js: 'true' },
  False: { python: 'False', js: 'false' },
  false: { python: 'False', js: 'false' },
  None: { python: 'None', js: 'null' },
  null: { python: 'None', js: 'null' },
  undefined: { python: 'None', js: 'undefined' },
};

const closing: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };

function readCollection(
  text: string,
  start: number,
  language: Language,
  isText: (word: string) => boolean,
): Literal | null {
  const open = text[start] ?? '';
  const close = closing[open];
  if (!close) return null;
  const parts: string[] = [];
  let at = skipBlanks(text, start + 1);
  let commas = 0;
  while (text[at] !== close) {
    const item = readLiteral(text, at, language, isText);
    if (!item) return null;
    at = skipBlanks(text, item.end);
    parts.push(item.code);
    if (text[at] === ':' && open === '{') parts.push(': ');
    else if (text[at] === ',') {
      commas++;
      parts.push(', ');
    } else if (text[at] !== close) return null;
    else continue;
    at = skipBlanks(text, at + 1);
  }
  const inner = parts.join('');
  const isList = language === 'js' && open === '(' && commas > 0;
  return { end: at + 1, code: isList ? `[${inner}]` : open + inner + close, isFraction: false };
}

function skipBlanks(text: string, from: number): number {
  const blanks = /\s*/y;
  blanks.lastIndex = from;
  return from + (blanks.exec(text)?.[0].length ?? 0);
}
