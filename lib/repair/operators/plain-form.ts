import type { Node } from '@vscode/tree-sitter-wasm';
import { children, descendants } from '../../syntax/nodes.ts';
import type { Replacement } from './function-view.ts';

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
    const found = plainer(node);
    if (found?.parts.some(isMade)) return { start: node.startIndex, end: node.endIndex, text: found.text };
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
