import { callOf, memberOf } from '../../../syntax/nodes.ts';
import { type FunctionView, type Replacement, variablesAt } from '../function-view.ts';

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
