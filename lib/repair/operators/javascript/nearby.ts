import type { Node } from '@vscode/tree-sitter-wasm';
import {
  binariesOf,
  callOf,
  conditionOf,
  isTarget,
  isVariable,
  memberOf,
  namedChildren,
  subscriptOf,
} from '../../../syntax/nodes.ts';
import { type FunctionView, type Replacement, variablesAt } from '../function-view.ts';

/** What stands near a node of a JavaScript function, and may be used at it. */

/** Variables and members such as `item.name`, the nearest first, then other variables. @param count maximum number */
export function nearbyValues(view: FunctionView, place: Node, count: number): string[] {
  const near = nearest(view, place, collected(view).values, count);
  const others = variablesAt(view, place).filter(name => name !== place.text && !near.includes(name));
  return [...near, ...others.toReversed()].slice(0, count);
}

/** Items such as `list[i]`. */
export function nearbyItems(view: FunctionView, place: Node, count: number): string[] {
  return nearest(view, place, collected(view).items, count);
}

/** Conditions without `&&` and `||`. */
export function nearbyTests(view: FunctionView, place: Node, count: number): string[] {
  return nearest(view, place, collected(view).tests, count);
}

interface Piece {
  readonly text: string;
  readonly row: number;
  /** The names that it reads. */
  readonly roots: readonly string[];
}

interface Pieces {
  readonly values: readonly Piece[];
  readonly items: readonly Piece[];
  readonly tests: readonly Piece[];
}

const cache = new WeakMap<readonly Node[], Pieces>();

/** Collected once for all lines of a function. */
function collected({ all }: FunctionView): Pieces {
  const pieces = cache.get(all) ?? {
    values: all.filter(isValue).flatMap(pieceOf),
    items: all.filter(subscriptOf).flatMap(pieceOf),
    tests: all.flatMap(testsOf).flatMap(pieceOf),
  };
  cache.set(all, pieces);
  return pieces;
}

function isValue(node: Node): boolean {
  if (isVariable(node)) return !isTarget(node);
  const { parent } = node;
  // Methods are no values, and of `a.b.c` only the whole.
  return memberOf(node) !== null && !(parent && (memberOf(parent) ?? callOf(parent)?.callee.id === node.id));
}

function testsOf(node: Node): Node[] {
  const parts = binariesOf(node).flatMap(({ kind, left, right }) =>
    kind === 'logical' ? [left, right] : [],
  );
  const condition = conditionOf(node);
  return [...parts, ...(condition ? [condition] : [])].filter(isPlainTest);
}

function isPlainTest(node: Node): boolean {
  return binariesOf(node).every(({ kind }) => kind !== 'logical') && node.type !== 'parenthesized_expression';
}

function pieceOf(node: Node): Piece[] {
  const { text } = node;
  if (text.length > 60 || text.includes('\n')) return [];
  return [{ text, row: node.startPosition.row, roots: rootsOf(node) }];
}

function rootsOf(node: Node): string[] {
  return node.type === 'identifier' ? [node.text] : namedChildren(node).flatMap(rootsOf);
}

function nearest(view: FunctionView, place: Node, pieces: readonly Piece[], count: number): string[] {
  const here = new Set(variablesAt(view, place));
  const locals = new Set(view.variables);
  const { row } = place.startPosition;
  const usable = pieces.filter(({ roots }) => roots.every(root => here.has(root) || !locals.has(root)));
  const ordered = usable.toSorted((a, b) => Math.abs(a.row - row) - Math.abs(b.row - row));
  return [...new Set(ordered.map(({ text }) => text))].filter(text => text !== place.text).slice(0, count);
}

/** Inserts a statement before another one, with its indentation. */
export function insertedBefore({ code }: FunctionView, { startIndex }: Node, statement: string): Replacement {
  const line = code.slice(code.lastIndexOf('\n', startIndex - 1) + 1, startIndex);
  const indentation = /^\s*$/.test(line) ? line : '';
  return { start: startIndex, end: startIndex, text: `${statement}\n${indentation}` };
}

/** The statements that may be changed, or others be inserted before. */
export function statementsOf(view: FunctionView): Node[] {
  return view.blocks
    .filter(({ type }) => type === 'statement_block')
    .flatMap(block => namedChildren(block).filter(view.covers))
    .filter(({ type }) => type !== 'comment');
}
