import type { Node } from '@vscode/tree-sitter-wasm';
import { namedChildren } from '../../../syntax/nodes.ts';
import { type FunctionView, put, type Replacement } from '../function-view.ts';

const usual = ['None', 'True', 'False', "''", '0', '1', '()'];

/** Gives a parameter a default, or another one. The edits belong to the line of the function's first statement. */
export function otherDefaults(view: FunctionView): Replacement[] {
  const [first] = namedChildren(view.body);
  if (!first || !view.covers(first) || !view.signature) return [];
  const parameters = namedChildren(view.signature);
  return parameters.flatMap((node, index) => {
    const value = node.childForFieldName('value');
    if (value) return usual.filter(text => text !== value.text).map(text => put(value, text));
    const isTyped = node.type === 'typed_parameter';
    if (!isPlain(node) || !mayHaveDefault(parameters, index)) return [];
    return usual.map(text => put(node, isTyped ? `${node.text} = ${text}` : `${node.text}=${text}`));
  });
}

function isPlain(node: Node): boolean {
  if (/^(?:self|cls)\b/.test(node.text) || /^\*/.test(node.text)) return false;
  return node.type === 'identifier' || node.type === 'typed_parameter';
}

/** No positional parameter without a default may follow; behind `*` any may. */
function mayHaveDefault(parameters: readonly Node[], index: number): boolean {
  const isSplat = ({ type, text }: Node) => /separator|splat/.test(type) || text.startsWith('*');
  if (parameters.slice(0, index).some(isSplat)) return true;
  const rest = parameters.slice(index + 1);
  const positional = rest.slice(0, rest.findIndex(isSplat) === -1 ? rest.length : rest.findIndex(isSplat));
  return positional.every(node => node.childForFieldName('value') !== null);
}
