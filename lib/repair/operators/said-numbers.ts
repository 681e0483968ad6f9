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
  const words = name.split(/_+|(?<=[a-z])(?=[A-Z])/).map(word => word.toLowerCase());
  return words.slice(1).flatMap(word => {
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
