import { runInNewContext } from 'node:vm';

/**
 * Other forms of a regular expression, likely ones first. They keep its delimiters and flags apart: `pattern` is what
 * stands between the slashes, or in Python's raw string.
 */
export function regexVariants(pattern: string): string[] {
  const parts = partsOf(pattern);
  const changed = parts.flatMap((part, index) =>
    variantsOf(part).map(text => parts.with(index, text).join('')),
  );
  const bare = pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, '');
  const anchors = [
    pattern.startsWith('^') ? pattern.slice(1) : `^${pattern}`,
    bare !== pattern && !pattern.startsWith('^') ? bare : `${pattern}$`,
    `^(?:${bare})$`,
  ];
  return [...new Set([...changed, ...anchors])].filter(text => text !== pattern && text !== '');
}

/** Classes, escapes, quantifiers and other characters. */
export function partsOf(pattern: string): string[] {
  return (
    pattern.match(/\[\^?\]?(?:\\.|[^\]\\])*\]?|\\u\{?[\da-fA-F]+\}?|\\.|\{\d+(?:,\d*)?\}|[\s\S]/gu) ?? []
  );
}

function variantsOf(part: string): string[] {
  if (part === '+') return ['*', '+?', '?', '', '{2,}'];
  if (part === '*') return ['+', '*?', '?', ''];
  if (part === '?') return ['', '*'];
  if (part === '.') return ['\\.', '[\\s\\S]', '[^\\n]'];
  if (part === '^' || part === '$') return [''];
  if (part === '\\d' || part === '\\w' || part === '\\s') return [`${part}+`, `${part}*`, `${part}?`];
  if (/^\{/.test(part))
    return ['+', '*', part.replace(/\d+/, '1').replace(/\{1\}/, '{1,}'), ...otherNumbers(part)];
  if (!part.startsWith('[')) return [];
  const isOther = part.startsWith('[^');
  const inner = part.slice(isOther ? 2 : 1, -1);
  const added = [
    '\\\\',
    '-',
    '_',
    '.',
    '\\s',
    '\\d',
    '0-9',
    'A-Z',
    '\\/',
    "'",
    '"',
    '+',
    ':',
    '@',
    '~',
    '$',
    '#',
  ];
  const withMore = added.filter(text => !inner.includes(text)).map(text => classOf(isOther, inner, text));
  const fewer = membersOf(inner).map(
    (_, index, all) => `[${isOther ? '^' : ''}${all.toSpliced(index, 1).join('')}]`,
  );
  const withoutCommas = inner.includes(',') ? [part.replaceAll(',', '')] : [];
  return [
    ...withoutCommas,
    ...withDigits(part, inner),
    ...withOtherBounds(part),
    ...withMore,
    ...fewer.filter(text => !/^\[\^?\]$/.test(text)),
  ];
}

/** A number of repetitions, one more or one less. */
function otherNumbers(part: string): string[] {
  return [...part.matchAll(/\d+/g)].flatMap(({ 0: digits, index }) =>
    [Number(digits) + 1, Number(digits) - 1]
      .filter(number => number >= 0)
      .map(number => `${part.slice(0, index)}${number}${part.slice(index + digits.length)}`),
  );
}

/** The other digits, for a class that has nothing but digits. */
function withDigits(part: string, inner: string): string[] {
  if (!/^(?:\d(?:-\d)?)+$/.test(inner)) return [];
  const characterClass = new RegExp(`[${inner}]`);
  return [...'0123456789']
    .filter(digit => !characterClass.test(digit))
    .map(digit => part.replace(inner, inner + digit));
}

/** A range that begins or ends one character earlier or later. */
function withOtherBounds(part: string): string[] {
  return [...part.matchAll(/(?<![\\-])([\da-zA-Z])-([\da-zA-Z])/g)].flatMap(
    ({ 0: range, 1: first = '', 2: last = '', index }) =>
      [
        [shifted(first, -1), last],
        [first, shifted(last, 1)],
        [shifted(first, 1), last],
        [first, shifted(last, -1)],
      ].flatMap(([from = '', to = '']) =>
        /^[\da-zA-Z]{2}$/.test(from + to) && from < to
          ? [`${part.slice(0, index)}${from}-${to}${part.slice(index + range.length)}`]
          : [],
      ),
  );
}

function shifted(letter: string, by: number): string {
  return String.fromCharCode(letter.charCodeAt(0) + by);
}

/** A hyphen between others would be a range. */
function classOf(isOther: boolean, inner: string, added: string): string {
  return `[${isOther ? '^' : ''}${inner.endsWith('-') ? added + inner : inner + added}]`;
}

function membersOf(inner: string): string[] {
  return inner.match(/(?:\\.|[^\\])-(?:\\.|[^\\])|\\.|[\s\S]/g) ?? [];
}

export interface Regex {
  readonly pattern: string;
  readonly flags: string;
}

/** Number of fitted forms that are tried. */
const MAX_FITTED = 40;
/** Characters of all forms that are compared: some expressions have thousands of long ones. */
const MAX_CHARACTERS = 150_000;

/**
 * Other forms of a regular expression, those first that match the texts of failing tests otherwise than it does itself.
 * Forms that are fitted to these texts are added, and those that are no expressions are left out. An expression of
 * another language than JavaScript may stay as it is.
 */
export function tellingFirst(
  regex: Regex,
  forms: readonly Regex[],
  texts: readonly string[],
): readonly Regex[] {
  const { flags } = regex;
  const compared = Math.floor(MAX_CHARACTERS / regex.pattern.length) - forms.length;
  const fitted = fittedTo(regex.pattern, texts)
    .slice(0, Math.max(0, compared))
    .map(pattern => ({ pattern, flags }));
  const all = [...forms, ...fitted];
  const [now, ...others] = outcomesOf([regex, ...all], texts);
  if (!now) return forms;
  const isTelling = others.map(outcome => outcome !== null && outcome !== now);
  return [
    ...forms.filter((_, index) => isTelling[index]),
    ...fitted.filter((_, index) => isTelling[forms.length + index]).slice(0, MAX_FITTED),
    ...forms.filter((_, index) => others[index] === now),
  ];
}

/** With a class that has a character of the texts too, a part that may be missing, and other numbers of repetitions. */
function fittedTo(pattern: string, texts: readonly string[]): string[] {
  const parts = partsOf(pattern);
  const letters = [...new Set(texts.flatMap(text => [...text]))].map(letter =>
    /[\\\]^-]/.test(letter) ? `\\${letter}` : letter,
  );
  const longest = Math.min(MAX_REPEATED, Math.max(0, ...texts.map(({ length }) => length)));
  const numbers = Array.from({ length: longest }, (_, index) => index + 1);
  return parts.flatMap((part, index) => {
    const isRepeated = /^(?:[?*+]|\{\d)/.test(parts[index + 1] ?? '');
    const other = [
      ...(/^\[/.test(part) ? letters.map(letter => `${part.slice(0, -1)}${letter}]`) : []),
      ...(/^\{\d+\}$/.test(part) ? numbers.map(number => `{${number}}`) : []),
      ...(isRepeated || /^(?:[\^$(|?*+.]|\{\d)/.test(part) ? [] : [`${part}?`]),
    ];
    return other.filter(text => text !== part).map(text => parts.with(index, text).join(''));
  });
}

const MAX_REPEATED = 30;

/** Milliseconds for all forms of an expression: far more than usual, as some never end. */
const TIME = 3000;

/** What each expression finds in the texts; null for one that is none. Empty if that takes too long. */
function outcomesOf(expressions: readonly Regex[], texts: readonly string[]): (string | null)[] {
  try {
    const output: unknown = runInNewContext(
      MATCHES,
      { input: JSON.stringify({ expressions, texts }) },
      { timeout: TIME },
    );
    return String(output)
      .split('\n')
      .map(each => (each === 'null' ? null : each));
  } catch {
    return [];
  }
}

const MATCHES = `
const { expressions, texts } = JSON.parse(input);
expressions.map(({ pattern, flags }) => {
  try {
    const expression = new RegExp(pattern, flags);
    return JSON.stringify(
      texts.map(text => {
        expression.lastIndex = 0;
        return expression.exec(text);
      }),
    );
  } catch {
    return 'null';
  }
}).join('\\n');
`;
