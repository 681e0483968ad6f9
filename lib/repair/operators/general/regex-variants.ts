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
function partsOf(pattern: string): string[] {
  return pattern.match(/\[\^?\]?(?:\\.|[^\]\\])*\]|\\u\{?[\da-fA-F]+\}?|\\.|\{\d+(?:,\d*)?\}|[\s\S]/gu) ?? [];
}

function variantsOf(part: string): string[] {
  if (part === '+') return ['*', '+?', '?', ''];
  if (part === '*') return ['+', '*?', '?', ''];
  if (part === '?') return ['', '*'];
  if (part === '.') return ['\\.', '[\\s\\S]', '[^\\n]'];
  if (part === '^' || part === '$') return [''];
  if (part === '\\d' || part === '\\w' || part === '\\s') return [`${part}+`, `${part}*`, `${part}?`];
  if (/^\{/.test(part)) return ['+', '*', part.replace(/\d+/, '1').replace(/\{1\}/, '{1,}')];
  if (!part.startsWith('[')) return [];
  const isOther = part.startsWith('[^');
  const inner = part.slice(isOther ? 2 : 1, -1);
  const added = ['\\\\', '-', '_', '.', '\\s', '\\d', '0-9', 'A-Z', '\\/', "'", '"', '+', ':', '@', '~', '$'];
  const withMore = added.filter(text => !inner.includes(text)).map(text => classOf(isOther, inner, text));
  const fewer = membersOf(inner).map(
    (_, index, all) => `[${isOther ? '^' : ''}${all.toSpliced(index, 1).join('')}]`,
  );
  const withoutCommas = inner.includes(',') ? [part.replaceAll(',', '')] : [];
  return [...withoutCommas, ...withMore, ...fewer.filter(text => !/^\[\^?\]$/.test(text))];
}

/** A hyphen between others would be a range. */
function classOf(isOther: boolean, inner: string, added: string): string {
  return `[${isOther ? '^' : ''}${inner.endsWith('-') ? added + inner : inner + added}]`;
}

function membersOf(inner: string): string[] {
  return inner.match(/(?:\\.|[^\\])-(?:\\.|[^\\])|\\.|[\s\S]/g) ?? [];
}
