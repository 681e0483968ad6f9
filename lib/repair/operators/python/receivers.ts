import { callOf, isTarget, isVariable, memberOf } from '../../../syntax/nodes.ts';
import { type FunctionView, put, type Replacement } from '../function-view.ts';

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
