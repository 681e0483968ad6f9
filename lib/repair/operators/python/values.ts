import type { Node } from '@vscode/tree-sitter-wasm';
import {
  callOf,
  isTarget,
  isVariable,
  memberOf,
  namedChildren,
  operand,
  resultOf,
} from '../../../syntax/nodes.ts';
import { binaries, distinct, type FunctionView, put, type Replacement } from '../function-view.ts';

const methods = ['lower', 'strip', 'rstrip', 'lstrip', 'casefold'];
const functions = ['str', 'list', 'id', 'repr', 'tuple', 'type'];

/** Normalizes a text before it is used, and converts a value: `name.lower().split()`, `str(key)`. */
export function normalized(view: FunctionView): Replacement[] {
  return placesIn(view).flatMap(node => [
    ...(isJoined(node) ? [put(node, `map(str, ${node.text})`)] : []),
    ...methods.map(name => put(node, `${operand(node)}.${name}()`)),
    ...(isReceiver(node) ? [] : functions.map(name => put(node, `${name}(${node.text})`))),
  ]);
}

function placesIn(view: FunctionView): Node[] {
  const all = [
    ...binaries(view).flatMap(({ kind, left, right }) => (kind === 'comparison' ? [left, right] : [])),
    ...view.nodes.flatMap(node => {
      const call = callOf(node);
      const receiver = call && memberOf(call.callee)?.object;
      return call ? [...(receiver ? [receiver] : []), ...call.args] : [];
    }),
    ...view.nodes.flatMap(node => resultOf(node) ?? []),
  ];
  const read = all.filter(
    node => /^(?:identifier|attribute|call|subscript)$/.test(node.type) && !isTarget(node),
  );
  return distinct(read).filter(({ text }) => !/^(?:self|cls|super\(\))$/.test(text));
}

/** Whether the node is what `join` gets. */
function isJoined({ parent }: Node): boolean {
  const call = parent?.type === 'argument_list' && parent.parent ? callOf(parent.parent) : null;
  return call !== null && memberOf(call.callee)?.name.text === 'join';
}

function isReceiver(node: Node): boolean {
  return node.parent?.type === 'attribute';
}

/** Reads a variable or a function of the file instead of the attribute of the same name, and the reverse. */
export function otherReceivers(view: FunctionView): Replacement[] {
  if (!view.parameters.includes('self')) return [];
  const names = new Set([...view.variables, ...view.file.functions]);
  const attributes = new Set([...view.file.attributes, ...view.file.methods]);
  return view.nodes.flatMap(node => {
    if (isTarget(node)) return [];
    const member = memberOf(node);
    if (member)
      return member.object.text === 'self' && names.has(member.name.text)
        ? [put(node, member.name.text)]
        : [];
    return isVariable(node) && attributes.has(node.text) ? [put(node, `self.${node.text}`)] : [];
  });
}

/** Takes an object instead of its attribute. */
export function droppedAttributes(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const member = memberOf(node);
    const isCalled = callOf(node.parent ?? node)?.callee.id === node.id;
    if (!member || isCalled || isTarget(node) || /^(?:self|cls)$/.test(member.object.text)) return [];
    return [put(node, member.object.text)];
  });
}

const usual = ['str', 'bytes', 'list', 'tuple', 'dict', 'set', 'int', 'float'];

/** Lets a test for types accept one more. */
export function moreTypes(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const call = callOf(node);
    const types = call?.args[1];
    if (!call || !types || !/^(?:isinstance|issubclass)$/.test(call.callee.text)) return [];
    const checked = (types.type === 'tuple' ? namedChildren(types) : [types]).map(({ text }) => text);
    return [...new Set([...view.file.types.filter(name => /^[\w.]+$/.test(name)), ...usual])]
      .filter(name => !checked.includes(name))
      .map(name => put(types, `(${[...checked, name].join(', ')})`));
  });
}

/** Formats a value that may be a tuple: `'%s' % (value,)`. */
export function formattedTuples(view: FunctionView): Replacement[] {
  return binaries(view)
    .filter(({ left, operator, right }) => {
      const isText = /string$/.test(left.type) || left.type === 'parenthesized_expression';
      return operator.text === '%' && isText && !/^(?:tuple|dictionary|integer)$/.test(right.type);
    })
    .map(({ right }) => put(right, `(${right.text},)`));
}
