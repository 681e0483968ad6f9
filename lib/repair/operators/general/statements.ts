import type { Node } from '@vscode/tree-sitter-wasm';
import { namedChildren } from '../../../syntax/nodes.ts';
import { isBlock, isInLoop } from '../../../syntax/shapes.ts';
import { type FunctionView, type Replacement, returnedTexts, variablesAt } from '../function-view.ts';

/**
 * Inserts a missing statement: an update of a variable, a guard, a step of a loop, or one similar to existing
 * ones.
 */
export function addedStatements(view: FunctionView): Replacement[] {
  return gaps(view).flatMap(({ at, before, node, inLoop }) => {
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
    return [...all, ...guards(view, node)].map(text => ({ start: at, end: at, text: before(text) }));
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
  readonly at: number;
  /** The text to insert for a statement. */
  readonly before: (statement: string) => string;
  /** The text at that position. */
  readonly node: Node;
  readonly inLoop: boolean;
}

/** Positions for a statement: before each statement of a block, and after its last. */
function gaps(view: FunctionView): Gap[] {
  const { end } = view.words;
  return view.blocks.filter(isBlock).flatMap(block => {
    const all = namedChildren(block).filter(({ type }) => type !== 'comment');
    const statements = all.filter(view.covers);
    const inLoop = isInLoop(block);
    const last = all.at(-1);
    const indented = (node: Node) => ' '.repeat(node.startPosition.column);
    const starts = statements.map(
      (node): Gap => ({
        at: node.startIndex,
        node,
        inLoop,
        before: text => `${text}${end}\n${indented(node)}`,
      }),
    );
    if (!last || !view.covers(last) || /^(?:return|break|continue|raise|throw)_statement$/.test(last.type))
      return starts;
    return [
      ...starts,
      { at: last.endIndex, node: last, inLoop, before: text => `\n${indented(last)}${text}${end}` },
    ];
  });
}
