import type { Node } from '@vscode/tree-sitter-wasm';
import type { Repairable } from '../../../machines/project-actors.ts';
import { changeOf } from '../../syntax/edits/edits.ts';
import { children, descendants } from '../../syntax/nodes.ts';
import type { OpenTree, SyntaxParser } from '../../syntax/parser.ts';
import type { ProposedEdit } from './best-first.ts';
import type { FailureFacts, FileNames } from './facts.ts';
import { type FunctionView, type Replacement, viewOf } from './function-view.ts';
import { taskOperators } from './task-operators.ts';

/** An edited program, and the operator that made it. */
interface Mutant {
  /** Name of the operator. */
  readonly operator: string;
  readonly code: string;
}

/** What a project says about the function or constant to edit. */
export interface ProjectHints {
  readonly kind: Repairable;
  /** Names of the file that it is from. */
  readonly names: FileNames;
  /** What its failing tests say. */
  readonly failures: FailureFacts;
  /** What is said about it elsewhere than in its code: its docstring, comments above it. */
  readonly documentation?: string;
  /** Suspicion of a row of the code, 0-based. */
  readonly weightOf: (row: number) => number;
  /** The edits to try, in their order, and null in between; see projectEdits. */
  edits(view: FunctionView, hints: ProjectHints): Iterable<ProposedEdit | null>;
}

/**
 * The programs that result from a single edit of the function's syntax tree, each tree once, in a fixed
 * order: operators from likely to unlikely, with the edits of each as it lists them; for a project, those that
 * are likeliest to repair it first. Yields null for an edit without a result, so that a caller can pause.
 * @param project null for a task, where operators of projects are not used
 */
export function* enumerateEdits(
  parser: SyntaxParser,
  code: string,
  name: string,
  limit: number,
  project: ProjectHints | null = null,
): Generator<Mutant | null> {
  const tree = parser.open(code);
  try {
    const { names = null, failures, kind, documentation } = project ?? {};
    const view = viewOf(tree.root, code, name, parser.language, names, failures, kind, documentation);
    if (!view) return;
    const seen = new Set<string>();
    const texts = new Set<string>([code]);
    const places = new Set<string>();
    let count = 0;
    const edits = project ? project.edits(view, project) : inOrder(view);
    for (const proposed of edits) {
      if (count >= limit) break;
      if (proposed === null) {
        yield null;
        continue;
      }
      const { operator } = proposed;
      const edit = project === null ? proposed.edit : plainEdit(tree, code, proposed.edit);
      if (edit === null) {
        yield null;
        continue;
      }
      const { start, end, text } = edit;
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
        count++;
      }
      yield isNew ? { operator, code: edited } : null;
    }
  } finally {
    tree.close();
  }
}

/** Most parts of one edit that are made plain. */
const MAX_PLAINER = 3;

/** The edit in its plainest form, so that equal ones are one; null if it does nothing. */
function plainEdit(tree: OpenTree, code: string, edit: Replacement): Replacement | null {
  let { start, end, text } = edit;
  for (let round = 0; round < MAX_PLAINER; round++) {
    const edited = code.slice(0, start) + text + code.slice(end);
    if (!mayBePlainer(edited.slice(Math.max(0, start - NEAR), start + text.length + NEAR))) break;
    const part = tree.readEdited(start, end, text, root =>
      root.hasError ? null : plainerPart(root, start, start + text.length),
    );
    if (part === null) break;
    if (part.text === null) return null;
    const plain = changeOf(code, edited.slice(0, part.start) + part.text + edited.slice(part.end));
    ({ start, end, replacement: text } = plain);
  }
  return { ...edit, start, end, text };
}

/** Characters around an edit that may belong to the same operation. */
const NEAR = 6;

function* inOrder(view: FunctionView): Generator<ProposedEdit> {
  const applicable = taskOperators.filter(({ languages }) => languages?.includes(view.language) ?? true);
  for (const operator of applicable)
    for (const edit of operator.edits(view)) yield { operator: operator.name, edit };
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

/**
 * A part of an edited program that says more than it does, and what says the same: `x + 0` → `x`, `x - -1` → `x + 1`,
 * `not (a < b)` → `a >= b`. Comparisons are taken to be of values that have an order. Only parts that the edit has
 * made count. The text is null for a statement that does nothing: `x += 0`, `x = x`. Null if there is no such part.
 */
export function plainerPart(
  root: Node,
  start: number,
  end: number,
): (Omit<Replacement, 'text'> & { readonly text: string | null }) | null {
  const isMade = (node: Node): boolean => node.startIndex < end && node.endIndex > start;
  // A text before and after an edit may share characters, such as the space before it.
  const around = root.descendantForIndex(Math.max(0, start - 1), end) ?? root;
  const parents = [around.parent, around.parent?.parent].filter(each => each != null);
  for (const node of [...parents.filter(each => isExpression.test(each.type)), ...descendants(around)]) {
    const replacement = plainer(node);
    if (replacement?.parts.some(isMade))
      return { start: node.startIndex, end: node.endIndex, text: replacement.text };
  }
  return null;
}

/** Whether the text of an edit, with what is next to it, may have such a part. */
export function mayBePlainer(text: string): boolean {
  return /(?<![\w.])[01](?![\w.])|\bnot\b|!|(?<![=!<>])=(?!=)/.test(text);
}

const isExpression =
  /^(?:binary_(?:operator|expression)|not_operator|unary_expression|assignment|assignment_expression|augmented_assignment(?:_expression)?)$/;

/** @property parts the nodes that make it longer than needed */
interface Plainer {
  readonly text: string | null;
  readonly parts: readonly Node[];
}

function plainer(node: Node): Plainer | null {
  const [left, operator, right] = ['left', 'operator', 'right'].map(name => node.childForFieldName(name));
  const argument = node.childForFieldName('argument');
  switch (node.type) {
    case 'binary_operator':
    case 'binary_expression':
      return left && operator && right ? plainerBinary(left, operator, right) : null;
    case 'augmented_assignment':
    case 'augmented_assignment_expression':
      return left && operator && right ? plainerUpdate(left, operator, right) : null;
    case 'assignment':
    case 'assignment_expression':
      return left && right && left.text === right.text ? { text: null, parts: [left, right] } : null;
    case 'not_operator':
    case 'unary_expression':
      return argument && /^(?:not\b|!)/.test(node.text) ? plainerNot(node, argument) : null;
    default:
      return null;
  }
}

const neutralRight: Readonly<Record<string, string>> = {
  ...{ '+': '0', '-': '0', '*': '1', '/': '1', '//': '1', '**': '1' },
};
const neutralLeft: Readonly<Record<string, string>> = { '+': '0', '*': '1' };
const opposite: Readonly<Record<string, string>> = { '+': '-', '-': '+' };

function plainerBinary(left: Node, operator: Node, right: Node): Plainer | null {
  const { text: sign } = operator;
  if (neutralRight[sign] === right.text) return { text: left.text, parts: [operator, right] };
  if (neutralLeft[sign] === left.text) return { text: right.text, parts: [left, operator] };
  const number = negativeNumber(right);
  const other = opposite[sign];
  if (other !== undefined && left.childForFieldName('operator')?.text === other) {
    const [inner, undone] = [left.childForFieldName('left'), left.childForFieldName('right')];
    if (inner && undone?.text === right.text) return { text: inner.text, parts: [undone, operator, right] };
  }
  return number !== null && other !== undefined
    ? { text: `${left.text} ${other} ${number}`, parts: [operator, right] }
    : null;
}

function plainerUpdate(left: Node, operator: Node, right: Node): Plainer | null {
  const sign = operator.text.slice(0, -1);
  if (neutralRight[sign] === right.text) return { text: null, parts: [operator, right] };
  const number = negativeNumber(right);
  const other = opposite[sign];
  return number !== null && other !== undefined
    ? { text: `${left.text} ${other}= ${number}`, parts: [operator, right] }
    : null;
}

function negativeNumber(node: Node): string | null {
  return /^unary_/.test(node.type) ? (/^-[ \t]*(\d[\d.]*)$/.exec(node.text)?.[1] ?? null) : null;
}

const negated: Readonly<Record<string, string>> = {
  ...{ '<': '>=', '>=': '<', '>': '<=', '<=': '>', '==': '!=', '!=': '==', '===': '!==', '!==': '===' },
  ...{ in: 'not in', 'not in': 'in', is: 'is not', 'is not': 'is' },
};

function plainerNot(node: Node, argument: Node): Plainer | null {
  const [inner, ...others] = /^parenthesized_/.test(argument.type) ? argument.namedChildren : [argument];
  if (!inner || others.length > 0 || !/^(?:comparison_operator|binary_expression)$/.test(inner.type))
    return null;
  const [left, operator, right, ...more] = children(inner);
  const other = negated[operator?.text ?? ''];
  if (!left || !operator || !right || more.length > 0 || other === undefined) return null;
  const text = `${left.text} ${other} ${right.text}`;
  const isOperand = /^(?:binary|unary|comparison|await|member|attribute)/.test(node.parent?.type ?? '');
  const joins = /^(?:&&|\|\||\?\?)$/.test(node.parent?.childForFieldName('operator')?.text ?? '');
  const [first] = children(node);
  return { text: isOperand && !joins ? `(${text})` : text, parts: [first ?? node, operator] };
}
