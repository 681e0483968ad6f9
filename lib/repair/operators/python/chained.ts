import type { Node } from '@vscode/tree-sitter-wasm';
import { callOf, isTarget, memberOf, operand, resultOf } from '../../../syntax/nodes.ts';
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
