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
