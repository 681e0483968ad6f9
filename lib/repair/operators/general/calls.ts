import type { Node } from '@vscode/tree-sitter-wasm';
import { callOf, memberOf, namedChildren, operand, resultOf } from '../../../syntax/nodes.ts';
import { type FunctionView, put, type Replacement } from '../function-view.ts';

/** Awaits calls, converts spread values, and passes values through functions of the file. */
export function calledOrAwaited(view: FunctionView): Replacement[] {
  const isJs = view.language === 'js';
  const isAsync = /\basync\b/.test(view.code.slice(0, view.body.startIndex));
  const calls = view.nodes.filter(node => callOf(node));
  const awaited = isAsync
    ? calls
        .filter(({ parent }) => !/await/.test(parent?.type ?? ''))
        .map(node => put(node, `await ${node.text}`))
    : [];
  const spread = view.nodes
    .filter(({ type }) => /^(?:list_splat|spread_element)$/.test(type))
    .flatMap(node => namedChildren(node))
    .flatMap(node =>
      (isJs
        ? [`${operand(node)}.map(Number)`]
        : ['int', 'float', 'str'].map(kind => `map(${kind}, ${node.text})`)
      ).map(text => put(node, text)),
    );
  const values = [
    ...calls.flatMap(node => callOf(node)?.args ?? []),
    ...view.nodes.flatMap(node => iterated(node) ?? []),
    ...view.nodes.flatMap(node => resultOf(node) ?? []),
  ];
  const passed = values
    .filter(({ type }) =>
      /^(?:identifier|attribute|call|call_expression|member_expression|subscript)/.test(type),
    )
    .flatMap(node => view.file.functions.map(name => put(node, `${name}(${node.text})`)));
  return [...awaited, ...spread, ...passed];
}

/** Replaces the key in a call of a collection by the first key: `items.delete(key)`, `items.pop(key)`. */
export function firstKeys(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const call = callOf(node);
    const member = call && memberOf(call.callee);
    const [key] = call?.args ?? [];
    if (!member || !key || !/^(?:delete|get|has|pop|remove|discard)$/.test(member.name.text)) return [];
    const items = member.object.text;
    return [put(key, view.language === 'js' ? `${items}.keys().next().value` : `next(iter(${items}))`)];
  });
}

function iterated(node: Node): Node | null {
  return /^(?:for_statement|for_in_clause|for_in_statement)$/.test(node.type)
    ? node.childForFieldName('right')
    : null;
}
