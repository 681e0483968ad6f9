import type { Outline } from '../../core/ports.ts';

/** Texts as a prefix tree of tokens. */
export interface TokenTrie {
  readonly next: ReadonlyMap<number, TokenTrie>;
  /** A text may end here. */
  readonly mayEnd: boolean;
  /** Any continuation is allowed. */
  readonly isFree: boolean;
}

/** Builds the trie of the answers that an outline allows; `encode` turns text into tokens. */
export function tokenTrie(outline: Outline, encode: (text: string) => readonly number[]): TokenTrie {
  const root = newNode();
  for (const text of outline.beginnings) nodeOf(root, encode(text)).isFree = true;
  for (const text of outline.whole) nodeOf(root, encode(text)).mayEnd = true;
  return root;
}

interface Node extends TokenTrie {
  readonly next: Map<number, Node>;
  mayEnd: boolean;
  isFree: boolean;
}

function newNode(): Node {
  return { next: new Map(), mayEnd: false, isFree: false };
}

function nodeOf(root: Node, ids: readonly number[]): Node {
  let node = root;
  for (const id of ids) {
    const next = node.next.get(id) ?? newNode();
    node.next.set(id, next);
    node = next;
  }
  return node;
}

/** The length of the common prefix of two lists. */
export function sharedLength(one: readonly number[], other: readonly number[]): number {
  const limit = Math.min(one.length, other.length);
  let length = 0;
  while (length < limit && one[length] === other[length]) length++;
  return length;
}
