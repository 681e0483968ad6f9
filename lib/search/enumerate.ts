import type { Node } from '@vscode/tree-sitter-wasm';
import type { SyntaxParser } from '../syntax/parser.ts';
import type { Language } from '../task.ts';
import { type FunctionView, type Replacement, viewOf } from './function-view.ts';
import * as excess from './operators/excess.ts';
import * as missing from './operators/missing.ts';
import * as swaps from './operators/swaps.ts';
import * as values from './operators/values.ts';
import { conditionOf } from './shapes.ts';

/** One edited program, and the operator that made it. */
export interface Mutant {
  readonly operator: OperatorName;
  readonly code: string;
}

/**
 * The programs that one edit of the function's syntax tree gives, each tree once, in a fixed order: the
 * operators from the likeliest to the most far-fetched, each from the top of the function to its end.
 */
export function enumerateEdits(parser: SyntaxParser, code: string, name: string, most: number): Mutant[] {
  const seen = new Set<string>();
  const texts = new Set<string>([code]);
  const found: Mutant[] = [];
  const replacements = parser.read(code, root => {
    const all = replacementsIn(root, code, name, parser.language);
    const places = new Map(all.map(({ start, end }) => [`${start}-${end}`, [start, end] as const]));
    for (const [start, end] of places.values()) seen.add(changedPart(parser, root, code.length, start, end));
    return all;
  });
  for (const { operator, start, end, text } of replacements) {
    if (found.length >= most) break;
    const edited = code.slice(0, start) + text + code.slice(end);
    if (texts.has(edited)) continue;
    texts.add(edited);
    const print = parser.read(edited, root =>
      root.hasError ? null : changedPart(parser, root, edited.length, start, start + text.length),
    );
    if (print === null || seen.has(print)) continue;
    seen.add(print);
    found.push({ operator, code: edited });
  }
  return found;
}

/**
 * The statement that holds a change, its fingerprint and its place between what is the same before and after it:
 * programs that are one edit away from the same one are equal if these are, and this is faster to tell.
 */
function changedPart(parser: SyntaxParser, root: Node, length: number, start: number, end: number): string {
  let node = root.descendantForIndex(start, end) ?? root;
  while (node.parent && !/^(?:block|statement_block)$/.test(node.parent.type)) node = node.parent;
  return `${node.startIndex} ${length - node.endIndex} ${parser.fingerprintOf(node)}`;
}

function replacementsIn(
  root: Node,
  code: string,
  name: string,
  language: Language,
): (Replacement & { operator: OperatorName })[] {
  const view = viewOf(root, code, name, language);
  if (!view) return [];
  return operatorNames.flatMap(operator =>
    operators[operator](view).map(replacement => ({ ...replacement, operator })),
  );
}

function conditions(view: FunctionView): Node[] {
  return view.nodes.flatMap(node => conditionOf(node) ?? []);
}

/** The likeliest first. */
const operators = {
  'operator swapped': swaps.swappedOperators,
  'variable swapped': values.otherVariables,
  'number changed': values.otherNumbers,
  'boolean changed': values.otherBooleans,
  'function swapped': values.otherFunctions,
  'term dropped': excess.droppedTerms,
  'wrapper dropped': excess.droppedWrappers,
  'statement dropped': excess.droppedStatements,
  'assignment swapped': swaps.swappedAssignments,
  'off by one': values.offByOne,
  'index changed': values.otherIndices,
  'condition negated': (view: FunctionView) => swaps.negations(view, conditions(view)),
  'clause dropped': excess.droppedClauses,
  'argument dropped': excess.droppedArguments,
  'arguments swapped': values.swappedArguments,
  'operands swapped': swaps.swappedOperands,
  'text changed': values.otherStrings,
  'condition dropped': excess.droppedConditions,
  'statement moved': excess.movedStatements,
  'wrapper added': missing.addedWrappers,
  'return changed': missing.otherReturns,
  'subscript added': missing.addedSubscripts,
  'target swapped': values.otherTargets,
  'number for variable': values.numbersForVariables,
  'condition added': missing.addedConditions,
  'term added': missing.addedTerms,
  'statement added': missing.addedStatements,
} as const satisfies Record<string, (view: FunctionView) => Replacement[]>;
export type OperatorName = keyof typeof operators;
const operatorNames = Object.keys(operators) as OperatorName[];
