import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants } from '../../syntax/nodes.ts';

/** The numbers in a text, without those that are part of a name. */
export function numbersIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w.])\d+(?:\.\d+)?(?![\w.]*[A-Za-z_])/g)].map(([number]) => number);
}

/** Most numbers that are taken from each source. */
const MAX_NUMBERS = 6;

/** Numbers that the function's docstring and comments name, without the calls of examples. */
export function documentedNumbers(definition: Node, docstring: Node | null): string[] {
  const comments = descendants(definition).filter(({ type }) => /comment$/.test(type));
  const texts = [docstring, ...comments].flatMap(
    node => node?.text.replace(/^\s*(?:>>>|\.\.\.) .*/gm, '') ?? [],
  );
  return [...new Set(texts.flatMap(numbersIn))].slice(0, MAX_NUMBERS);
}
