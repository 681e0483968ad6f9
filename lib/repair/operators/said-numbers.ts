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

/** Numbers that the function's docstring and comments name, without those of examples, which fit by chance. */
export function documentedNumbers(definition: Node, docstring: Node | null): string[] {
  const comments = descendants(definition).filter(({ type }) => /comment$/.test(type));
  const texts = [docstring, ...comments].map(node => withoutExamples(node?.text ?? ''));
  return [...new Set(texts.flatMap(numbersIn))].slice(0, MAX_NUMBERS);
}

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
