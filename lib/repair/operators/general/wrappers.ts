import type { Node } from '@vscode/tree-sitter-wasm';
import { bare, callOf, isNumber, operand, resultOf } from '../../../syntax/shapes.ts';
import { binaries, type FunctionView, put, type Replacement } from '../function-view.ts';

/** Passes a value through a function or a method. */
export function addedWrappers(view: FunctionView): Replacement[] {
  const wraps = view.language === 'js' ? javascriptWraps : pythonWraps;
  return wrapPlaces(view).flatMap(node => wraps(operand(node), node.text).map(text => put(node, text)));
}

function wrapPlaces(view: FunctionView): Node[] {
  const values = view.nodes.flatMap(node => resultOf(node) ?? []);
  const operands = binaries(view).flatMap(({ node, kind, left, right }) =>
    kind === 'logical' ? [] : kind === 'arithmetic' ? [node, left, right] : [left, right],
  );
  const iterated = view.nodes.flatMap(node =>
    /^(?:for_statement|for_in_clause|for_in_statement)$/.test(node.type)
      ? (node.childForFieldName('right') ?? [])
      : [],
  );
  const args = view.nodes.flatMap(node => callOf(node)?.args ?? []);
  const all = [...values, ...operands, ...iterated, ...args].filter(
    node =>
      !isNumber(node) &&
      !/^(?:true|false|none|null|string|keyword_argument|lambda|arrow_function|spread_element)$/.test(
        node.type,
      ),
  );
  return [...new Map(all.map(node => [`${node.startIndex}-${node.endIndex}`, bare(node) ?? node])).values()];
}

function pythonWraps(object: string, text: string): string[] {
  const functions = [
    'abs',
    'len',
    'sorted',
    'set',
    'int',
    'str',
    'list',
    'sum',
    'round',
    'max',
    'min',
    'float',
    'tuple',
    'reversed',
    'bool',
  ];
  return [
    ...functions.map(name => `${name}(${text})`),
    `sorted(set(${text}))`,
    `list(set(${text}))`,
    `${object}[::-1]`,
    `${object}[1:]`,
    `${object}[:-1]`,
    ...['lower', 'upper', 'strip', 'copy', 'split'].map(name => `${object}.${name}()`),
    `-${object}`,
    `not ${object}`,
  ];
}

function javascriptWraps(object: string, text: string): string[] {
  return [
    ...[
      'Math.abs',
      'Math.floor',
      'Math.ceil',
      'Math.round',
      'Number',
      'String',
      'parseInt',
      'Boolean',
      'Math.sqrt',
    ].map(name => `${name}(${text})`),
    ...[
      'length',
      'toLowerCase()',
      'toUpperCase()',
      'trim()',
      'slice()',
      'sort()',
      'reverse()',
      'toString()',
      'slice(1)',
      'slice(0, -1)',
    ].map(name => `${object}.${name}`),
    `[...new Set(${text})]`,
    `-${object}`,
    `!${object}`,
  ];
}
