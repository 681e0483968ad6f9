import type { Node } from '@vscode/tree-sitter-wasm';
import {
  bare,
  callOf,
  descendants,
  isTarget,
  memberOf,
  operand,
  resultOf,
  subscriptOf,
} from '../../../syntax/nodes.ts';
import { distinct, type FunctionView, put, type Replacement, variablesAt } from '../function-view.ts';

/** Looks an item or an attribute up that may be missing. */
export function lookups(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const item = subscriptOf(node);
    const isWritten = isTarget(node) || node.parent?.type === 'delete_statement';
    if (item && node.parent?.type === 'delete_statement')
      return [put(node.parent, `${item.object.text}.pop(${item.index.text}, None)`)];
    if (item && !isWritten && item.index.type !== 'slice') {
      const { object, index } = item;
      return [
        `${object.text}.get(${index.text})`,
        ...["''", '[]', '{}', '0', index.text].map(other => `${object.text}.get(${index.text}, ${other})`),
      ].map(text => put(node, text));
    }
    const member = memberOf(node);
    if (!member || isWritten || callOf(node.parent ?? node)?.callee.id === node.id) return [];
    return [put(node, `getattr(${member.object.text}, '${member.name.text}', None)`)];
  });
}

const empty = ["''", '[]', '{}', '0', 'None'];

/** Takes another value where the first is missing or empty. */
export function alternatives(view: FunctionView): Replacement[] {
  return valuesIn(view).flatMap(node =>
    [...empty.slice(0, -1), ...variablesAt(view, node).filter(name => name !== 'self' && name !== node.text)]
      .flatMap(other => {
        const both = `${operand(node)} or ${other}`;
        const inside = isWhole(node) ? both : `(${both})`;
        const reversed = isWhole(node) ? `${other} or ${operand(node)}` : `(${other} or ${operand(node)})`;
        return empty.includes(other) ? [inside] : [inside, reversed];
      })
      .map(text => put(node, text)),
  );
}

/** Computes a result only if a value in it is there. */
export function conditionalResults(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const result = bare(resultOf(node));
    if (!result || /^(?:identifier|true|false|none|integer|string|conditional_expression)$/.test(result.type))
      return [];
    const inner = descendants(result);
    const names = inner.filter(
      other =>
        (other.type === 'identifier' && variablesAt(view, result).includes(other.text)) || memberOf(other),
    );
    const tested = [...new Set(names.map(({ text }) => text))].filter(
      text => text !== 'self' && text.length < 40,
    );
    return tested.flatMap(name =>
      [name, `${name} is not None`].flatMap(test =>
        [...empty, name]
          .filter(other => other !== result.text)
          .map(other => put(result, `${result.text} if ${test} else ${other}`)),
      ),
    );
  });
}

/** Names, attributes, items and calls that are passed, returned or called on. */
function valuesIn(view: FunctionView): Node[] {
  const all = [
    ...view.nodes.flatMap(node => resultOf(node) ?? []),
    ...view.nodes.flatMap(node => callOf(node)?.args ?? []),
    ...view.nodes.flatMap(node => (memberOf(node) ? [memberOf(node)?.object ?? node] : [])),
  ].filter(({ type, text }) => /^(?:identifier|attribute|call|subscript)$/.test(type) && text !== 'self');
  return distinct(all);
}

/** Whether an expression without parentheses may stand there. */
function isWhole({ parent }: Node): boolean {
  return /^(?:argument_list|return_statement|assignment|keyword_argument)$/.test(parent?.type ?? '');
}
