import type { Node } from '@vscode/tree-sitter-wasm';
import { isBlock, namedChildren } from '../../../syntax/nodes.ts';
import type { FunctionView, Replacement } from '../function-view.ts';
import { indentationOf } from './layout.ts';

/** Number of statements that another is moved over. */
const FARTHEST = 5;

/** Moves a statement over several others, and before the statement whose block it is in. */
export function distantMoves(view: FunctionView): Replacement[] {
  return view.blocks.filter(isBlock).flatMap(block => {
    const all = namedChildren(block).filter(({ type }) => type !== 'comment');
    return all.flatMap((statement, index) => {
      if (!view.covers(statement) || /^(?:return|raise|break|continue|pass)_statement$/.test(statement.type))
        return [];
      return [...withinBlock(view, all, index), ...beforeBlock(view, block, all, index)];
    });
  });
}

function withinBlock({ code }: FunctionView, all: readonly Node[], index: number): Replacement[] {
  const statement = all[index];
  if (!statement) return [];
  const margin = `\n${indentationOf(statement.startPosition.column)}`;
  const [above, below] = [all[index - 1], all[index + 1]];
  const before = all.slice(Math.max(0, index - FARTHEST), index).map(other => ({
    start: other.startIndex,
    end: statement.endIndex,
    text: statement.text + margin + code.slice(other.startIndex, above?.endIndex),
  }));
  const after = all.slice(index + 1, index + 1 + FARTHEST).map(other => ({
    start: statement.startIndex,
    end: other.endIndex,
    text: code.slice(below?.startIndex, other.endIndex) + margin + statement.text,
  }));
  return [...before.toReversed(), ...after];
}

function beforeBlock(
  { code }: FunctionView,
  block: Node,
  all: readonly Node[],
  index: number,
): Replacement[] {
  const [statement, above, below] = [all[index], all[index - 1], all[index + 1]];
  const outer = outerStatement(block);
  if (!statement || !outer || statement.text.includes('\n')) return [];
  const start = outer.startIndex;
  const first = `${statement.text}\n${indentationOf(outer.startPosition.column)}`;
  if (below) return [{ start, end: below.startIndex, text: first + code.slice(start, statement.startIndex) }];
  return above ? [{ start, end: statement.endIndex, text: first + code.slice(start, above.endIndex) }] : [];
}

/** The statement that a block is a part of; null for the body of a function. */
function outerStatement(block: Node): Node | null {
  let outer = block.parent;
  while (outer && /_clause$/.test(outer.type)) outer = outer.parent;
  return outer && /_statement$/.test(outer.type) ? outer : null;
}
