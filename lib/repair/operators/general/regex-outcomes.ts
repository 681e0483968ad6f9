import { runInNewContext } from 'node:vm';
import { partsOf } from './regex-variants.ts';

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
