import type { Node } from '@vscode/tree-sitter-wasm';
import {
  callOf,
  isTarget,
  memberOf,
  namedChildren,
  operand,
  resultOf,
  subscriptOf,
} from '../../../syntax/nodes.ts';
import { type FunctionView, put, type Replacement } from '../function-view.ts';
import { insertedBefore, nearbyItems, nearbyValues, statementsOf } from './nearby.ts';

/** Changes of values that fix commits of JavaScript projects often make. */

/** `a.b` becomes `a?.b`, `a[i]` becomes `a?.[i]`, and `a.b()` becomes `a.b?.()`. */
export function optionalChains(view: FunctionView): Replacement[] {
  return view.nodes.filter(isOnlyRead).flatMap(node => {
    const call = node.type === 'call_expression' ? callOf(node) : null;
    const object = call
      ? memberOf(call.callee) && call.callee
      : (memberOf(node)?.object ?? subscriptOf(node)?.object);
    if (!object || /^(?:this|super)$/.test(object.text)) return [];
    const offset = object.endIndex;
    if (view.code.startsWith('?.', offset)) return [];
    return [{ start: offset, end: offset, text: memberOf(node) ? '?' : '?.' }];
  });
}

/** Nothing may be assigned to an optional chain, or to a part of it. */
function isOnlyRead(node: Node): boolean {
  const { parent } = node;
  if (isTarget(node) || /^(?:update_expression|augmented_assignment_expression)$/.test(parent?.type ?? ''))
    return false;
  const isInside = parent && (memberOf(parent) ?? subscriptOf(parent))?.object.id === node.id;
  return isInside ? isOnlyRead(parent) : true;
}

/** Gives a value that may be missing a default: where it is read, and in a statement before. */
export function defaults(view: FunctionView): Replacement[] {
  const read = [
    ...view.nodes.flatMap(node => resultOf(node) ?? []),
    ...view.nodes.flatMap(node => iteratedBy(node) ?? []),
    ...view.nodes.flatMap(node => callOf(node)?.args ?? []),
  ].filter(node => isPlain(node) || callOf(node));
  const whole = read.flatMap(node => EMPTY.map(text => put(node, `${node.text} || ${text}`)));
  const first = view.body.type === 'statement_block' ? namedChildren(view.body)[0] : undefined;
  const parameters =
    first && view.covers(first)
      ? view.parameters.flatMap(name =>
          EMPTY.map(text => insertedBefore(view, first, `${name} = ${name} || ${text};`)),
        )
      : [];
  const items = statementsOf(view).flatMap(statement =>
    nearbyItems(view, statement, 3).flatMap(item =>
      EMPTY.map(text => insertedBefore(view, statement, `if (!${item}) ${item} = ${text};`)),
    ),
  );
  const returned = view.nodes.flatMap(node => {
    const value = node.type === 'return_statement' ? node.namedChild(0) : null;
    return value && !/^(?:identifier|true|false|null|number|string)$/.test(value.type)
      ? view.strings.slice(0, 3).map(text => put(value, `${operand(value)} || ${text}`))
      : [];
  });
  return [...parameters, ...whole, ...items, ...returned];
}

/** Adds an argument that stands nearby, or `this`, to a call. */
export function nearbyArguments(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const call = callOf(node);
    const list = node.childForFieldName('arguments');
    if (!call || !list?.text.startsWith('(') || call.args.length > 3) return [];
    const [first, last] = [call.args[0], call.args.at(-1)];
    const texts = nearbyValues(view, node, 6).filter(text => call.args.every(arg => arg.text !== text));
    const end = last?.endIndex ?? list.startIndex + 1;
    const start = first?.startIndex ?? end;
    return [
      ...texts.slice(0, 4).map(text => ({ start: end, end, text: last ? `, ${text}` : text })),
      ...['this', ...texts.slice(0, 2)].map(text => ({
        start,
        end: start,
        text: first ? `${text}, ` : text,
      })),
      ...texts.slice(4).map(text => ({ start: end, end, text: last ? `, ${text}` : text })),
    ];
  });
}

const EMPTY = ['{}', '[]', "''"];

/** Copies, lists and spreads: `Array.from(a)`, `[a]`, `...a`, `a.concat(b)`, an object without a prototype. */
export function otherCollections(view: FunctionView): Replacement[] {
  const args = view.nodes.flatMap(node => callOf(node)?.args ?? []);
  const receivers = view.nodes.flatMap(node => {
    const call = callOf(node);
    const member = call && memberOf(call.callee);
    return member && isPlain(member.object) && LISTED.test(member.name.text) ? [member.object] : [];
  });
  const copied = [...receivers, ...view.nodes.flatMap(node => iteratedBy(node) ?? [])].flatMap(node => [
    put(node, `Array.from(${node.text})`),
    put(node, `[].concat(${node.text})`),
  ]);
  const added = view.nodes.flatMap(node => {
    const call = callOf(node);
    const member = call && memberOf(call.callee);
    const [value, ...others] = call?.args ?? [];
    if (!member || !value || others.length > 0 || !/^(?:push|unshift)$/.test(member.name.text)) return [];
    const isStatement = node.parent?.type === 'expression_statement';
    return [
      put(value, `...${operand(value)}`),
      ...(isStatement
        ? [put(node, `${member.object.text} = ${member.object.text}.concat(${value.text})`)]
        : []),
    ];
  });
  const filtered = view.nodes.flatMap(node => {
    const member = memberOf(callOf(node)?.callee ?? node);
    const isList =
      callOf(node) && member && /^(?:map|split|filter|slice|concat|flatMap)$/.test(member.name.text);
    return isList ? [{ start: node.endIndex, end: node.endIndex, text: '.filter(Boolean)' }] : [];
  });
  const sorted = view.nodes.flatMap(node => {
    const call = callOf(node);
    const isSort = call && memberOf(call.callee)?.name.text === 'sort' && call.args.length === 0;
    return isSort ? [{ start: node.endIndex - 1, end: node.endIndex - 1, text: '(a, b) => a - b' }] : [];
  });
  const listed = args.filter(isValue).map(node => put(node, `[${node.text}]`));
  const empty = view.nodes
    .filter(({ type, text }) => type === 'object' && text.replace(/\s/g, '') === '{}')
    .map(node => put(node, 'Object.create(null)'));
  const tested = [...args, ...view.nodes.flatMap(node => resultOf(node) ?? [])]
    .filter(isValue)
    .map(node => put(node, `(Array.isArray(${node.text}) ? ${node.text} : [${node.text}])`));
  return [...sorted, ...added, ...empty, ...listed, ...filtered, ...copied, ...tested];
}

const LISTED = /^(?:map|filter|slice|some|every|reduce|forEach|find|findIndex|includes|join|sort)$/;

/** Normalizes a text before it is used, and a value that stands nearby before a statement. */
export function normalized(view: FunctionView): Replacement[] {
  const receivers = view.nodes.flatMap(node => {
    const call = callOf(node);
    const member = call && memberOf(call.callee);
    return member && TEXTUAL.test(member.name.text) ? [member.object] : [];
  });
  const args = view.nodes.flatMap(node => callOf(node)?.args ?? []).filter(isValue);
  const inPlace = [...receivers, ...args].flatMap(node =>
    NORMALIZING.map(method => put(node, `${operand(node)}.${method}()`)),
  );
  const used = NORMALIZING.filter(method => view.methods.includes(method));
  const before = statementsOf(view).flatMap(statement =>
    nearbyValues(view, statement, 4).flatMap(value =>
      used.map(method => insertedBefore(view, statement, `${value} = ${value}.${method}();`)),
    ),
  );
  return [...before, ...inPlace];
}

const NORMALIZING = ['trim', 'toLowerCase', 'toString', 'slice'];
const TEXTUAL =
  /^(?:split|match|replace|replaceAll|test|indexOf|lastIndexOf|startsWith|endsWith|includes|charAt|charCodeAt|codePointAt|slice|substring|concat|localeCompare|padStart|padEnd)$/;

/** Passes an item, its key and its collection to a function of the file, as helpers for lookups expect. */
export function helperLookups(view: FunctionView): Replacement[] {
  const helpers = [...new Set([...view.functions, ...view.file.functions])];
  return view.nodes.flatMap(node => {
    const item = subscriptOf(node);
    if (!item || isTarget(node)) return [];
    const [object, key] = [item.object.text, item.index.text];
    return helpers.flatMap(name => [
      put(node, `${name}(${key}, ${object})`),
      put(node, `${name}(${object}, ${key})`),
    ]);
  });
}

function isPlain(node: Node): boolean {
  return /^(?:identifier|member_expression|subscript_expression)$/.test(node.type);
}

function isValue(node: Node): boolean {
  return isPlain(node) || node.type === 'call_expression';
}

function iteratedBy(node: Node): Node | null {
  return node.type === 'for_in_statement' && node.childForFieldName('operator')?.text === 'of'
    ? node.childForFieldName('right')
    : null;
}
