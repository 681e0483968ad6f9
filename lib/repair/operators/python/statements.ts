import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants, isBlock, memberOf, namedChildren } from '../../../syntax/nodes.ts';
import {
  before,
  type FunctionView,
  put,
  type Replacement,
  returnedTexts,
  variablesAt,
} from '../function-view.ts';
import { guardBefore, indentationOf, isStatement, shifted, valuesAt } from './layout.ts';

/** Runs a statement only if a value that it reads is there. */
export function guardedStatements(view: FunctionView): Replacement[] {
  return view.nodes.filter(isStatement).flatMap(statement => {
    const inner = shifted(statement);
    if (inner === null || !/^(?:expression|for|delete|if)_statement$/.test(statement.type)) return [];
    const bound = variablesAt(view, statement);
    const values = descendants(statement).filter(
      node => (node.type === 'identifier' && bound.includes(node.text)) || memberOf(node),
    );
    const names = [...new Set(values.map(({ text }) => text))].filter(
      text => text !== 'self' && text.length < 40 && !text.includes('('),
    );
    const margin = indentationOf(statement.startPosition.column + 4);
    return names
      .flatMap(name => [name, `${name} is not None`, `not ${name}`])
      .map(test => put(statement, `if ${test}:\n${margin}${inner}`));
  });
}

/** Calls a method of the object that takes no arguments. */
export function addedCalls(view: FunctionView): Replacement[] {
  if (!view.parameters.includes('self')) return [];
  return view.nodes
    .filter(isStatement)
    .flatMap(statement => view.file.methods.map(name => before(statement, `self.${name}()`)));
}

/** Number of values that an early return may have. */
const MAX_RETURNS = 8;

/** Returns early for values of a type that the file knows. */
export function typeGuards(view: FunctionView): Replacement[] {
  const types = [...view.file.types, 'str'];
  return view.nodes
    .filter(isStatement)
    .flatMap(statement =>
      valuesAt(view, statement).flatMap(name =>
        types.flatMap(type =>
          [`isinstance(${name}, ${type})`, `not isinstance(${name}, ${type})`].flatMap(test =>
            [...new Set([name, ...returnedTexts(view)])]
              .slice(0, MAX_RETURNS)
              .map(value => guardBefore(statement, test, `return ${value}`)),
          ),
        ),
      ),
    );
}

/** Replaces a missing argument, or one of another form, before it is used. */
export function preparedValues(view: FunctionView): Replacement[] {
  return view.nodes
    .filter(isStatement)
    .flatMap(statement =>
      valuesAt(view, statement).flatMap(name => [
        ...["''", '[]', '{}', '0'].map(value =>
          guardBefore(statement, `${name} is None`, `${name} = ${value}`),
        ),
        ...['strip', 'rstrip', 'lower'].map(method => before(statement, `${name} = ${name}.${method}()`)),
        ...['list', 'str', 'tuple'].map(type => before(statement, `${name} = ${type}(${name})`)),
      ]),
    );
}

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
