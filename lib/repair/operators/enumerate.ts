import type { Node } from '@vscode/tree-sitter-wasm';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { conditionOf } from '../../syntax/shapes.ts';
import { isCompiled } from '../enumerate/words.ts';
import { addedArguments } from './arguments.ts';
import * as excess from './excess.ts';
import { binaries, type FunctionView, type Replacement, viewOf } from './function-view.ts';
import * as missing from './missing.ts';
import * as moves from './moves.ts';
import { addedStatements } from './statements.ts';
import * as swaps from './swaps.ts';
import * as values from './values.ts';
import { addedWrappers } from './wrappers.ts';

/** An edited program, and the operator that made it. */
export interface Mutant {
  readonly operator: OperatorName | 'template';
  readonly code: string;
}

/**
 * The programs that result from a single edit of the function's syntax tree, each tree once, in a fixed
 * order: operators from likely to unlikely, each from the top of the function to its end. Yields null for an
 * edit without a result, so that a caller can pause.
 * @param more operators to try before those that make the most edits
 */
export function* enumerateEdits(
  parser: SyntaxParser,
  code: string,
  name: string,
  limit: number,
  more: readonly Operator[] = [],
): Generator<Mutant | null> {
  const tree = parser.open(code);
  try {
    const view = viewOf(tree.root, code, name, parser.language);
    const seen = new Set<string>();
    const texts = new Set<string>([code]);
    const places = new Set<string>();
    let found = 0;
    for (const [operator, editsOf] of view ? operatorsFor(view, more) : []) {
      if (!view || found >= limit) break;
      for (const { start, end, text } of editsOf(view)) {
        if (found >= limit) break;
        const edited = code.slice(0, start) + text + code.slice(end);
        if (texts.has(edited)) continue;
        texts.add(edited);
        const print = tree.readEdited(start, end, text, other =>
          other.hasError ? null : changedPart(parser, other, edited.length, start, start + text.length),
        );
        const place = `${start}-${end}`;
        if (!places.has(place)) seen.add(changedPart(parser, tree.root, code.length, start, end));
        places.add(place);
        const isNew = print !== null && !seen.has(print);
        if (isNew) {
          seen.add(print);
          found++;
        }
        yield isNew ? { operator, code: edited } : null;
      }
    }
  } finally {
    tree.close();
  }
}

/**
 * The statement that contains a change, its fingerprint and its position between the unchanged parts:
 * programs that are one edit away from the same one are equal if these are equal, which is faster to check.
 */
function changedPart(parser: SyntaxParser, root: Node, length: number, start: number, end: number): string {
  let node = root.descendantForIndex(start, end) ?? root;
  while (
    node.parent &&
    !/^(?:block|statement_block|statement_list|compound_statement)$/.test(node.parent.type)
  )
    node = node.parent;
  return `${node.startIndex} ${length - node.endIndex} ${parser.fingerprintOf(node)}`;
}

/** Whole conditions, and the operands of `and` and `or`. */
function conditions(view: FunctionView): Node[] {
  const parts = binaries(view).flatMap(({ kind, left, right }) => (kind === 'logical' ? [left, right] : []));
  return [...view.nodes.flatMap(node => conditionOf(node) ?? []), ...parts];
}

/** Likeliest first. */
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
  'beginning changed': values.otherBeginnings,
  'condition negated': (view: FunctionView) => swaps.negations(view, conditions(view)),
  'clause dropped': excess.droppedClauses,
  'argument dropped': excess.droppedArguments,
  'arguments swapped': values.swappedArguments,
  'operands swapped': swaps.swappedOperands,
  'text changed': values.otherStrings,
  'condition dropped': excess.droppedConditions,
  'branch joined': moves.joinedBranches,
  'jump swapped': moves.swappedJumps,
  'statement moved': moves.movedStatements,
  'statements exchanged': moves.exchangedStatements,
  'wrapper added': addedWrappers,
  'return changed': missing.otherReturns,
  'subscript added': missing.addedSubscripts,
  'target swapped': values.otherTargets,
  'argument added': addedArguments,
  'constant for variable': values.constantsForVariables,
  'condition added': missing.addedConditions,
  'term added': missing.addedTerms,
  'statement added': addedStatements,
} as const satisfies Record<string, (view: FunctionView) => Replacement[]>;
type OperatorName = keyof typeof operators;
const operatorNames = Object.keys(operators) as OperatorName[];

export type Operator = (view: FunctionView) => Replacement[];

/** Of what compilers refuse mostly, nothing is tried. */
function operatorsFor(
  view: FunctionView,
  more: readonly Operator[],
): (readonly [Mutant['operator'], Operator])[] {
  if (!isCompiled(view.language)) return withMore(more);
  return withMore(more).filter(([name]) => !pythonic.has(name));
}

const pythonic: ReadonlySet<string> = new Set<OperatorName>([
  ...(['beginning changed', 'wrapper added', 'subscript added', 'argument added'] as const),
  ...(['condition added', 'term added', 'statement added'] as const),
]);

function withMore(more: readonly Operator[]): (readonly [Mutant['operator'], Operator])[] {
  const all = operatorNames.map(name => [name, operators[name]] as const);
  const wide = all.findIndex(([name]) => name === 'constant for variable');
  return [...all.slice(0, wide), ...more.map(each => ['template', each] as const), ...all.slice(wide)];
}
