import type { Node } from '@vscode/tree-sitter-wasm';
import { callOf, memberOf, operand, resultOf, subscriptOf } from '../../../syntax/nodes.ts';
import {
  binaries,
  distinct,
  type FunctionView,
  put,
  type Replacement,
  variablesAt,
} from '../function-view.ts';

/** Replaces the attribute in `a.b`, and values by their attributes; adds an attribute as a term. */
export function otherAttributes(view: FunctionView): Replacement[] {
  const members = membersIn(view);
  const receiver = view.language === 'js' ? 'this' : 'self';
  const isMethod = view.parameters.includes('self') || members.some(({ text }) => text.startsWith('this.'));
  const attributes = isMethod
    ? view.file.attributes.slice(0, MAX_OWN).map(name => `${receiver}.${name}`)
    : [];
  const texts = [...new Set([...members.map(({ text }) => text), ...attributes])].slice(0, 16);
  const swapped = members.flatMap(node => {
    const object = `${memberOf(node)?.object.text}.`;
    const others = [...texts.filter(text => text.startsWith(object)), ...variablesAt(view, node)];
    return others.filter(text => text !== node.text && text !== receiver).map(text => put(node, text));
  });
  const places = operands(view).filter(node => !/^(?:string|true|false|none|null)$/.test(node.type));
  const terms = places.flatMap(node =>
    texts
      .filter(text => text !== node.text)
      .flatMap(text => [
        put(node, inside(node, `${node.text} + ${text}`)),
        put(node, inside(node, `${node.text} - ${text}`)),
        put(node, `${operand(node)} * ${text}`),
      ]),
  );
  const named = places
    .filter(({ type }) => /^(?:identifier|integer|float|number)$/.test(type))
    .flatMap(node => texts.map(text => put(node, text)));
  return [...swapped, ...named, ...terms];
}

/** Number of attributes of the object that take the place of others. */
const MAX_OWN = 12;

/** Replaces the attribute in `a.b` by one that other values of the file have. */
export function otherMembers(view: FunctionView): Replacement[] {
  return membersIn(view).flatMap(node => {
    const name = memberOf(node)?.name;
    if (!name) return [];
    return view.file.members.filter(text => text !== name.text).map(text => put(name, text));
  });
}

/** Replaces a call, an attribute or an item by a variable, 0 or 1. */
export function simplerOperands(view: FunctionView): Replacement[] {
  return operands(view)
    .filter(node => callOf(node) ?? memberOf(node) ?? subscriptOf(node))
    .flatMap(node => ['1', '0', ...variablesAt(view, node)].map(text => put(node, text)));
}

function membersIn(view: FunctionView): Node[] {
  return view.nodes.filter(
    node =>
      memberOf(node) && callOf(node.parent ?? node)?.callee.id !== node.id && !memberOf(node.parent ?? node),
  );
}

/** Operands of arithmetic and comparisons, arguments and results. */
function operands(view: FunctionView): Node[] {
  const all = [
    ...binaries(view).flatMap(({ kind, left, right }) => (kind === 'logical' ? [] : [left, right])),
    ...view.nodes.flatMap(node => callOf(node)?.args ?? []),
    ...view.nodes.flatMap(node => resultOf(node) ?? []),
  ];
  return distinct(all);
}

/** A sum needs parentheses as an operand of a product. */
function inside(node: Node, text: string): string {
  return /^binary/.test(node.parent?.type ?? '') ? `(${text})` : text;
}
