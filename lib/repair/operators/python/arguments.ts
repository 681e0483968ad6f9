import type { Node } from '@vscode/tree-sitter-wasm';
import { callOf, memberOf, namedChildren } from '../../../syntax/nodes.ts';
import { type FunctionView, put, type Replacement, variablesAt } from '../function-view.ts';

/** Calls with more arguments are rarely too short. */
const MAX_ARGUMENTS = 8;

/** Passes a value on by name: as other calls of the file and arguments of the call do, a variable, or an attribute. */
export function passedOn(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const call = callOf(node);
    if (!call || call.args.length > MAX_ARGUMENTS) return [];
    const list = node.childForFieldName('arguments');
    if (list?.type !== 'argument_list') return [];
    const name = memberOf(call.callee)?.name.text ?? call.callee.text;
    const passed = new Set(
      call.args.flatMap(arg => [arg.childForFieldName('name')?.text ?? [], arg.text].flat()),
    );
    const variables = variablesAt(view, node).filter(
      each => !/^(?:self|cls|_)$/.test(each) && !view.signature?.text.includes(`*${each}`),
    );
    const attributes = view.parameters.includes('self') ? view.file.attributes : [];
    const ofVariables = variables.map(each => `${each}=${each}`);
    const ofAttributes = attributes.map(each => `${each}=self.${each}`);
    // Other arguments of the call show which are likelier.
    const taken = call.args.flatMap(arg => /^(\w+)\s*=\s*(\w+)\.\1$/.exec(arg.text)?.[2] ?? []);
    const ofObjects = [...new Set(taken)].flatMap(object =>
      object === 'self' ? ofAttributes : view.file.members.map(each => `${each}=${object}.${each}`),
    );
    const texts = [...(view.file.keywords.get(name) ?? []), ...ofObjects, ...ofVariables, ...ofAttributes];
    const last = call.args.at(-1);
    const offset = last?.endIndex ?? list.startIndex + 1;
    return [...new Set(texts)]
      .filter(text => !passed.has(text.slice(0, text.indexOf('='))) && !passed.has(text))
      .map(text => ({ start: offset, end: offset, text: last ? `, ${text}` : text }));
  });
}

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
