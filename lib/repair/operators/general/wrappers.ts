import type { Node } from '@vscode/tree-sitter-wasm';
import { bare, callOf, isNumber, memberOf, operand, resultOf } from '../../../syntax/nodes.ts';
import { binaries, type FunctionView, put, type Replacement, variablesAt } from '../function-view.ts';

/**
 * Adds a missing argument: one that such a call often has, a variable in scope, or a number in the function.
 */
export function addedArguments(view: FunctionView): Replacement[] {
  const table = view.language === 'js' ? javascriptArguments : pythonArguments;
  return view.nodes.flatMap(node => {
    const call = callOf(node);
    const list = node.childForFieldName('arguments');
    if (!call || !list || !/^\(/.test(list.text) || call.args.length > 3) return [];
    const name = memberOf(call.callee)?.name.text ?? call.callee.text;
    const { before = [], after = [] } = (Object.hasOwn(table, name) ? table[name] : null) ?? {};
    const variables = variablesAt(view, node).filter(text => call.args.every(arg => arg.text !== text));
    const first = call.args[0];
    const last = call.args.at(-1);
    const texts = [...new Set([...after, ...variables, ...view.numbers])];
    const end = last?.endIndex ?? list.startIndex + 1;
    const appended = texts.map(text => ({ start: end, end, text: last ? `, ${text}` : text }));
    const start = first?.startIndex;
    if (start === undefined) return appended;
    return [...before.map(text => ({ start, end: start, text: `${text}, ` })), ...appended];
  });
}

/** Arguments that are often inserted before or after the existing ones. */
type KnownArguments = Readonly<
  Record<string, { readonly before?: readonly string[]; readonly after?: readonly string[] }>
>;

const orders = [
  'reverse=True',
  'key=len',
  'key=abs',
  'key=lambda x: x[0]',
  'key=lambda x: x[1]',
  'key=str.lower',
];

const pythonArguments: KnownArguments = {
  range: { before: ['1', '2'], after: ['2', '-1'] },
  sorted: { after: orders },
  sort: { after: orders },
  max: { after: ['0', '1', 'key=len', 'key=abs', 'default=0', 'default=None'] },
  min: { after: ['0', '1', 'key=len', 'key=abs', 'default=0', 'default=None'] },
  enumerate: { after: ['1'] },
  round: { after: ['1', '2', '3'] },
  int: { after: ['2', '16'] },
  split: { after: ["','", "' '", "'\\n'", '1'] },
  get: { after: ['0', 'None', "''", '[]', '1'] },
  pop: { after: ['0', '-1', 'None'] },
  strip: { after: ["' '", "'.'"] },
  replace: { after: ["''", '1'] },
};

const javascriptArguments: KnownArguments = {
  sort: { after: ['(a, b) => a - b', '(a, b) => b - a'] },
  parseInt: { after: ['10', '2'] },
  toString: { after: ['2', '16'] },
  slice: { after: ['1', '-1'] },
  split: { after: ["''", "' '", "','"] },
  join: { after: ["''", "' '", "','"] },
  reduce: { after: ['0', '1', "''", '[]'] },
  max: { after: ['0', '1'] },
  min: { after: ['0', '1'] },
  replace: { after: ["''"] },
  padStart: { after: ["'0'"] },
};

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
