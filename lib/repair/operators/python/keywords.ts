import { callOf, memberOf } from '../../../syntax/shapes.ts';
import { type FunctionView, type Replacement, variablesAt } from '../function-view.ts';

/** Calls with more arguments are rarely too short. */
const MAX_ARGUMENTS = 8;

/** Passes a value on by name: as other calls of the file do, a variable, or an attribute of the same name. */
export function passedOn(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const call = callOf(node);
    if (!call || call.args.length > MAX_ARGUMENTS) return [];
    const list = node.childForFieldName('arguments');
    if (list?.type !== 'argument_list') return [];
    const name = memberOf(call.callee)?.name.text ?? call.callee.text;
    const given = new Set(
      call.args.flatMap(arg => [arg.childForFieldName('name')?.text ?? [], arg.text].flat()),
    );
    const variables = variablesAt(view, node).filter(each => !/^(?:self|cls|_)$/.test(each));
    const attributes = view.parameters.includes('self') ? view.file.attributes : [];
    const ofVariables = variables.map(each => `${each}=${each}`);
    const ofAttributes = attributes.map(each => `${each}=self.${each}`);
    // Other arguments of the call show which are likelier.
    const takesAttributes = call.args.some(arg => /^(\w+)\s*=\s*self\.\1$/.test(arg.text));
    const texts = [
      ...(view.file.keywords.get(name) ?? []),
      ...(takesAttributes ? [...ofAttributes, ...ofVariables] : [...ofVariables, ...ofAttributes]),
    ];
    const last = call.args.at(-1);
    const at = last?.endIndex ?? list.startIndex + 1;
    return [...new Set(texts)]
      .filter(text => !given.has(text.slice(0, text.indexOf('='))) && !given.has(text))
      .map(text => ({ start: at, end: at, text: last ? `, ${text}` : text }));
  });
}
