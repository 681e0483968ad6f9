import type { Node } from '@vscode/tree-sitter-wasm';
import { callOf, conditionOf, descendants, memberOf } from '../../../syntax/nodes.ts';
import {
  binaries,
  distinct,
  type FunctionView,
  put,
  type Replacement,
  variablesAt,
} from '../function-view.ts';

/**
 * Asks whether a value is `None` instead of whether it is true, also in a part of a condition, and the reverse; and
 * whether it is any boolean instead of a certain one.
 */
export function otherPresence(view: FunctionView): Replacement[] {
  return partsOf(view).flatMap(node => {
    const [, value, not] = /^(.+?) is (not )?None$/s.exec(node.text) ?? [];
    if (value !== undefined) return [put(node, not ? value : `not ${value}`)];
    const [, flag] = /^(.+?) is (?:True|False)$/s.exec(node.text) ?? [];
    if (flag !== undefined) return [put(node, `isinstance(${flag}, bool)`), put(node, flag)];
    if (node.type === 'not_operator') {
      const argument = node.childForFieldName('argument');
      return argument ? [put(node, `${argument.text} is None`)] : [];
    }
    const call = callOf(node);
    const member = call && memberOf(call.callee);
    const [key] = call?.args ?? [];
    if (member?.name.text === 'get' && key) return [put(node, `${key.text} in ${member.object.text}`)];
    return /^(?:identifier|attribute|call|subscript)$/.test(node.type)
      ? [put(node, `${node.text} is not None`)]
      : [];
  });
}

/** Adds a term about a value that the condition or the code below it reads. */
export function nearbyTerms(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const condition = conditionOf(node);
    if (!condition) return [];
    const near = valuesOf(view, condition, node);
    const conditionValues = valuesOf(view, condition, condition);
    const members = membersOf(condition).map(([object, name]) => `hasattr(${object}, '${name}')`);
    const presenceChecks = conditionValues.flatMap(value => presence(value));
    const isMissing = view.failures.raised.includes('AttributeError');
    const terms = [
      ...(isMissing ? members : []),
      ...presenceChecks,
      ...near.filter(value => !conditionValues.includes(value)).flatMap(value => presence(value)),
      ...members,
      ...conditionValues.flatMap(value => view.file.types.map(type => `isinstance(${value}, ${type})`)),
      ...conditionValues.flatMap(value => view.file.types.map(type => `not isinstance(${value}, ${type})`)),
    ];
    const whole = /^(?:boolean_operator|conditional_expression|lambda)$/.test(condition.type)
      ? `(${condition.text})`
      : condition.text;
    const opposites = [`not ${condition.text}`, condition.text.replace(/^not /, '')];
    const required = condition.text.includes(' or ') ? [] : condition.text.split(' and ');
    const contradicts = (term: string) =>
      required.some(each => term === `not ${each}` || each === `not ${term}`);
    const isNew = (term: string) =>
      !opposites.includes(term) && (!condition.text.includes(term) || term.length < 3);
    const possible = [...new Set(terms)].filter(isNew);
    // A term about a value of the condition guards the rest of it.
    const guards = new Set([...presenceChecks, ...members]);
    const joined = (isInUsualOrder: boolean) =>
      possible.flatMap(term =>
        (contradicts(term) ? ['or'] : ['and', 'or']).map(word => {
          const isFirst = guards.has(term) === isInUsualOrder;
          return put(condition, isFirst ? `${term} ${word} ${whole}` : `${whole} ${word} ${term}`);
        }),
      );
    return [...joined(true), ...joined(false)];
  });
}

/** Leaves out items of a comprehension that has no condition. */
export function filteredItems(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    if (!/_comprehension$|^generator_expression$/.test(node.type)) return [];
    if (node.namedChildren.some(child => child?.type === 'if_clause')) return [];
    const clause = node.namedChildren.findLast(child => child?.type === 'for_in_clause');
    const left = clause?.childForFieldName('left');
    if (!clause || !left) return [];
    const names = descendants(left).filter(({ type }) => type === 'identifier');
    return names
      .flatMap(({ text }) => [text, `${text} is not None`, `not ${text}`, `${text} > 0`])
      .map(test => ({ start: clause.endIndex, end: clause.endIndex, text: ` if ${test}` }));
  });
}

function presence(value: string): string[] {
  return [value, `not ${value}`, `${value} is not None`, `${value} is None`];
}

/** Whole conditions and the operands of `and` and `or`. */
function partsOf(view: FunctionView): Node[] {
  const parts = binaries(view).flatMap(({ kind, left, right }) => (kind === 'logical' ? [left, right] : []));
  const all = [...view.nodes.flatMap(node => conditionOf(node) ?? []), ...parts];
  return distinct(all);
}

/** Variables, attributes and items in a part of the code that exist at a place. */
function valuesOf(view: FunctionView, place: Node, part: Node): string[] {
  const bound = new Set(variablesAt(view, place));
  const texts = descendants(part)
    .filter(node => {
      if (node.type === 'identifier') return bound.has(node.text);
      const member = memberOf(node);
      if (!member || callOf(node.parent ?? node)?.callee.id === node.id) return false;
      return bound.has(/^\w+/.exec(node.text)?.[0] ?? '');
    })
    .map(({ text }) => text)
    .filter(text => text !== 'self' && text !== 'cls' && text.length < 50);
  return [...new Set(texts)];
}

function membersOf(condition: Node): (readonly [object: string, name: string])[] {
  return descendants(condition).flatMap(node => {
    const member = memberOf(node);
    return member ? [[member.object.text, member.name.text] as const] : [];
  });
}
