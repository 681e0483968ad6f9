import type { Node } from '@vscode/tree-sitter-wasm';
import { diffArrays } from 'diff';
import { type FunctionView, put, type Replacement } from '../function-view.ts';

/**
 * Changes a text as the failing assertion says: where the value contains the text of a literal, the literal takes what
 * the expected value has in that place.
 */
export function expectedTexts(view: FunctionView): Replacement[] {
  const parts = view.nodes.filter(isText).flatMap(partsOf);
  if (parts.length === 0) return [];
  return view.failures.values.flatMap(({ actual, expected }) => {
    const changes = differences(actual, expected);
    return parts.flatMap(part => expectedFor(part.text, actual, changes).map(text => put(part, text)));
  });
}

/** What is between escape sequences, whose values are others than their texts. */
function partsOf(node: Node): { startIndex: number; endIndex: number; text: string }[] {
  return [...node.text.matchAll(/[^\\]+/g)].map(({ 0: text, index }) => {
    const isEscape = node.text[index - 1] === '\\';
    const startIndex = node.startIndex + index + (isEscape ? 1 : 0);
    return {
      startIndex,
      endIndex: node.startIndex + index + text.length,
      text: text.slice(isEscape ? 1 : 0),
    };
  });
}

function isText({ type }: Node): boolean {
  return /^(?:string_content|string_fragment|template_chars)$/.test(type);
}

/** A shorter text occurs anywhere. */
const MIN_LENGTH = 2;

function expectedFor(text: string, actual: string, changes: readonly Change[]): string[] {
  if (text.length < MIN_LENGTH && text !== actual.slice(1, -1)) return [];
  const texts = new Set<string>();
  for (const { from, to, instead } of changes) {
    for (
      let offset = actual.indexOf(text);
      offset !== -1 && offset <= from;
      offset = actual.indexOf(text, offset + 1)
    ) {
      if (to <= offset + text.length)
        texts.add(text.slice(0, from - offset) + instead + text.slice(to - offset));
    }
  }
  return [...texts].filter(other => other !== text && !/[\n{}\\]/.test(other));
}

/** What of the actual value the expected one replaces. */
interface Change {
  readonly from: number;
  to: number;
  instead: string;
}

/** Word by word. */
function differences(actual: string, expected: string): Change[] {
  const changes: Change[] = [];
  let offset = 0;
  let open: Change | null = null;
  for (const { added, removed, value } of diffArrays(wordsOf(actual), wordsOf(expected))) {
    const text = value.join('');
    if (!added && !removed) open = null;
    else if (!open) {
      open = { from: offset, to: offset, instead: '' };
      changes.push(open);
    }
    if (open && added) open.instead += text;
    if (!added) offset += text.length;
    if (open) open.to = offset;
  }
  return changes;
}

function wordsOf(text: string): string[] {
  return text.match(/\w+|\s+|[^\w\s]/g) ?? [];
}
