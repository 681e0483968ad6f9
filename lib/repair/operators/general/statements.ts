import type { Node } from '@vscode/tree-sitter-wasm';
import { children, descendants, isBlock, isInLoop, namedChildren } from '../../../syntax/nodes.ts';
import { type FunctionView, put, type Replacement, returnedTexts, variablesAt } from '../function-view.ts';

/**
 * Inserts a missing statement: an update of a variable, a guard, a step of a loop, or one similar to existing
 * ones.
 */
export function addedStatements(view: FunctionView): Replacement[] {
  return gaps(view).flatMap(({ offset, before, node, inLoop }) => {
    const names = variablesAt(view, node);
    const updates = names.flatMap(name => [`${name} += 1`, `${name} -= 1`]);
    const collected = view.methods.flatMap(method =>
      /^(?:append|add|push|extend)$/.test(method)
        ? pairsOf(names).map(([list, item]) => `${list}.${method}(${item})`)
        : [],
    );
    const sums = pairsOf(names).flatMap(([total, item]) =>
      ['+=', '=', '-=', '*='].map(operator => `${total} ${operator} ${item}`),
    );
    const loops = inLoop ? ['continue', 'break'] : [];
    const returns = returnedTexts(view)
      .filter(text => !view.variables.includes(text))
      .concat(names)
      .map(text => `return ${text}`);
    const all = [
      ...new Set([
        ...view.assignments,
        ...view.actions,
        ...updates,
        ...loops,
        ...collected,
        ...returns,
        ...sums,
      ]),
    ];
    return [...all, ...guards(view, node)].map(text => ({ start: offset, end: offset, text: before(text) }));
  });
}

/** `if not x: return []` and similar. */
function guards(view: FunctionView, place: Node): string[] {
  const values = returnedTexts(view);
  const tests = view.parameters
    .filter(name => variablesAt(view, place).includes(name))
    .flatMap(name => guardTests(view, name));
  if (view.language === 'js')
    return tests.flatMap(test => values.map(value => `if (${test}) return ${value}`));
  return tests.flatMap(test => values.map(value => `if ${test}: return ${value}`));
}

function guardTests(view: FunctionView, name: string): string[] {
  if (view.language === 'js')
    return [`!${name}`, `${name}.length === 0`, `${name} < 2`, `${name} < 0`, `${name} <= 1`];
  return [`not ${name}`, `${name} < 2`, `${name} < 0`, `${name} <= 1`];
}

function pairsOf(names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap(left => names.filter(right => right !== left).map(right => [left, right] as const));
}

interface Gap {
  readonly offset: number;
  /** The text to insert for a statement. */
  readonly before: (statement: string) => string;
  /** The text at that position. */
  readonly node: Node;
  readonly inLoop: boolean;
}

/** Positions for a statement: before each statement of a block, and after its last. */
function gaps(view: FunctionView): Gap[] {
  const { end } = view.syntax;
  return view.blocks.filter(isBlock).flatMap(block => {
    const all = namedChildren(block).filter(({ type }) => type !== 'comment');
    const statements = all.filter(view.covers);
    const inLoop = isInLoop(block);
    const last = all.at(-1);
    const indented = (node: Node) => ' '.repeat(node.startPosition.column);
    const starts = statements.map(
      (node): Gap => ({
        offset: node.startIndex,
        node,
        inLoop,
        before: text => `${text}${end}\n${indented(node)}`,
      }),
    );
    if (!last || !view.covers(last) || /^(?:return|break|continue|raise|throw)_statement$/.test(last.type))
      return starts;
    return [
      ...starts,
      { offset: last.endIndex, node: last, inLoop, before: text => `\n${indented(last)}${text}${end}` },
    ];
  });
}

/** Moves statements and branches. */

/** Moves the last statement of a block out of it, and the statement after a block into it. */
export function movedStatements(view: FunctionView): Replacement[] {
  return [
    ...view.blocks.flatMap(block => movedOut(view, block)),
    ...neighbours(view).flatMap(([before, after]) => movedIn(view, before, after)),
  ];
}

function movedOut({ code, body, language, covers }: FunctionView, block: Node): Replacement[] {
  const statements = statementsOf(block);
  const last = statements.at(-1);
  const outer = statementAround(block);
  if (!last || !covers(last) || !outer || block.id === body.id || statements.length < 2 || isCompound(last))
    return [];
  const start = lineStart(code, last);
  const indentation = ' '.repeat(outer.startPosition.column);
  if (language === 'python' && last.endIndex === outer.endIndex) {
    return [{ start, end: last.startIndex, text: indentation }];
  }
  const rest = code.slice(last.endIndex, outer.endIndex).replace(/^[^\S\n]*\n/, '');
  return [{ start, end: outer.endIndex, text: `${rest}\n${indentation}${last.text}` }];
}

function movedIn({ code, language }: FunctionView, before: Node, after: Node): Replacement[] {
  const block = children(before).findLast(isBlock);
  const inner = block && statementsOf(block).at(-1);
  if (!block || !inner || isCompound(after)) return [];
  const indentation = ' '.repeat(inner.startPosition.column);
  if (language === 'python') {
    return [{ start: lineStart(code, after), end: after.startIndex, text: indentation }];
  }
  const between = code.slice(inner.endIndex, after.startIndex).trimEnd();
  return [{ start: inner.endIndex, end: after.endIndex, text: `\n${indentation}${after.text}${between}` }];
}

/** Swaps two consecutive statements. */
export function exchangedStatements(view: FunctionView): Replacement[] {
  return neighbours(view).flatMap(([before, after]) => {
    if (isCompound(before) || isCompound(after) || isJump(after)) return [];
    const between = view.code.slice(before.endIndex, after.startIndex);
    return [{ start: before.startIndex, end: after.endIndex, text: `${after.text}${between}${before.text}` }];
  });
}

/** Swaps `break` and `continue`. */
export function swappedJumps(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    if (node.type === 'break_statement') return [put(node, node.text.replace('break', 'continue'))];
    if (node.type === 'continue_statement') return [put(node, node.text.replace('continue', 'break'))];
    return [];
  });
}

/** Swaps `if` and `elif`: whether a condition is tested if the one before it was true. */
export function joinedBranches(view: FunctionView): Replacement[] {
  const parted = view.nodes.flatMap(node => {
    if (node.type === 'elif_clause')
      return [{ start: node.startIndex, end: node.startIndex + 4, text: 'if' }];
    const inner = node.type === 'else_clause' && view.language === 'js' ? node.namedChild(0) : null;
    return inner?.type === 'if_statement'
      ? [{ start: node.startIndex, end: inner.startIndex, text: '' }]
      : [];
  });
  const joined = neighbours(view).flatMap(([before, after]) => {
    if (before.type !== 'if_statement' || after.type !== 'if_statement') return [];
    if (namedChildren(before).some(({ type }) => type === 'else_clause')) return [];
    const text = view.language === 'js' ? 'else ' : 'el';
    return [{ start: after.startIndex, end: after.startIndex, text }];
  });
  return [...parted, ...joined];
}

function neighbours(view: FunctionView): (readonly [Node, Node])[] {
  return view.blocks.map(statementsOf).flatMap(statements =>
    statements.slice(1).flatMap((after, index) => {
      const before = statements[index];
      return before && view.covers(before) ? [[before, after] as const] : [];
    }),
  );
}

function statementsOf(block: Node): Node[] {
  return namedChildren(block).filter(({ type }) => type !== 'comment');
}

/** The whole statement that a block is part of, past `else` and the like. */
function statementAround(block: Node): Node | null {
  let outer = block.parent;
  while (outer && (/_clause$/.test(outer.type) || outer.parent?.type === 'else_clause')) outer = outer.parent;
  return outer && /_statement$/.test(outer.type) ? outer : null;
}

function isCompound(statement: Node): boolean {
  return descendants(statement).some(isBlock);
}

function isJump({ type }: Node): boolean {
  return /^(?:return|break|continue|raise|throw)_statement$/.test(type);
}

function lineStart(code: string, { startIndex }: Node): number {
  return code.lastIndexOf('\n', startIndex - 1) + 1;
}
