import type { Node } from '@vscode/tree-sitter-wasm';
import type { ComparedValues } from './failure-facts.ts';
import { type FunctionView, put, type Replacement } from './function-view.ts';

/**
 * Changes a text as the failing assertion says: where the value contains the text of a literal, the literal takes what
 * the expected value has in that place.
 */
export function expectedTexts(view: FunctionView): Replacement[] {
  const literals = view.nodes.filter(isText);
  return view.failures.values.flatMap(values =>
    literals.flatMap(node => expectedFor(node.text, values).map(text => put(node, text))),
  );
}

function isText({ type }: Node): boolean {
  return /^(?:string_content|string_fragment|template_chars)$/.test(type);
}

/** A shorter text occurs anywhere. */
const MIN_LENGTH = 2;

function expectedFor(text: string, { actual, expected }: ComparedValues): string[] {
  if (text.length < MIN_LENGTH && text !== actual.slice(1, -1)) return [];
  const [start, tail] = sharedEnds(actual, expected);
  const found = new Set<string>();
  for (let at = actual.indexOf(text); at !== -1; at = actual.indexOf(text, at + 1)) {
    // The difference may also be placed earlier, if it repeats what is before it.
    for (let from = start; from >= 0 && isSame(actual, expected, from, tail + start - from); from--) {
      const to = actual.length - tail - (start - from);
      if (at > from || to > at + text.length) continue;
      const instead = expected.slice(from, expected.length - tail - (start - from));
      found.add(text.slice(0, from - at) + instead + text.slice(to - at));
    }
  }
  return [...found].filter(other => other !== text && !/[\n{}]/.test(other));
}

/** Lengths of the common beginning and the common end, which do not overlap. */
function sharedEnds(a: string, b: string): [start: number, tail: number] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let tail = 0;
  while (tail < shorter - start && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return [start, tail];
}

function isSame(a: string, b: string, start: number, tail: number): boolean {
  if (a.slice(0, start) !== b.slice(0, start)) return false;
  return tail === 0 || a.slice(-tail) === b.slice(-tail);
}
