import type { Node } from '@vscode/tree-sitter-wasm';
import { binariesOf, callOf, conditionOf, memberOf, operand, subscriptOf } from '../../../syntax/nodes.ts';
import { binaries, distinct, type FunctionView, put, type Replacement } from '../function-view.ts';
import { nearbyItems, nearbyTests, nearbyValues } from './nearby.ts';

/** Changes of conditions that fix commits of JavaScript projects often make. */

/** Tests whether a value is there, or of a type, instead of its truth; compares with null and undefined at once. */
export function otherPresence(view: FunctionView): Replacement[] {
  const values = testPlaces(view).filter(isPlain);
  const typed = values.flatMap(node => TYPES.map(type => put(node, `typeof ${node.text} === '${type}'`)));
  const present = values.flatMap(node => [
    put(node, `${node.text} != null`),
    put(node, `${node.text} !== undefined`),
    put(node, `${operand(node)}.length > 0`),
  ]);
  const absent = testPlaces(view).flatMap(node => {
    const argument = node.type === 'unary_expression' ? node.childForFieldName('argument') : null;
    return argument && isPlain(argument) ? [put(node, `${argument.text} == null`)] : [];
  });
  const loose = binaries(view).flatMap(({ node, left, operator, right }) =>
    /^[!=]==$/.test(operator.text) && /^(?:null|undefined)$/.test(right.text)
      ? [put(node, `${left.text} ${operator.text.slice(0, 2)} null`)]
      : [],
  );
  const objects = binaries(view).flatMap(({ node, left, operator, right }) =>
    /^={2,3}$/.test(operator.text) && /^['"]object['"]$/.test(right.text) && left.text.startsWith('typeof ')
      ? objectTests(left.text.slice('typeof '.length)).map(text => put(node, `${node.text} && ${text}`))
      : [],
  );
  const kinds = binaries(view).flatMap(({ left, right }) =>
    left.text.startsWith('typeof ') && TYPES.includes(right.text.slice(1, -1))
      ? TYPES.filter(type => type !== right.text.slice(1, -1)).map(type => put(right, `'${type}'`))
      : [],
  );
  return [...loose, ...objects, ...present, ...absent, ...kinds, ...typed];
}

const TYPES = ['function', 'string', 'object', 'number'];

function objectTests(value: string): string[] {
  return [`${value} !== null`, `!Array.isArray(${value})`];
}

/** Asks for own properties only. */
export function hasOwnChecks(view: FunctionView): Replacement[] {
  const hasOwn = (object: string, key: string) => `Object.prototype.hasOwnProperty.call(${object}, ${key})`;
  const asked = view.nodes.flatMap(node => {
    const call = callOf(node);
    const member = call && memberOf(call.callee);
    const [key] = call?.args ?? [];
    if (!member || !key || member.name.text !== 'hasOwnProperty') return [];
    return [put(node, hasOwn(member.object.text, key.text))];
  });
  const named = binaries(view).flatMap(({ node, left, operator, right }) =>
    operator.text === 'in' ? [put(node, hasOwn(right.text, left.text))] : [],
  );
  const read = testPlaces(view).flatMap(node => {
    const item = subscriptOf(node);
    return item ? [put(node, hasOwn(item.object.text, item.index.text))] : [];
  });
  const loops = view.nodes.flatMap(node => {
    const body = node.type === 'for_in_statement' ? node.childForFieldName('body') : null;
    const [left, right] = [node.childForFieldName('left'), node.childForFieldName('right')];
    const isIn = node.childForFieldName('operator')?.text === 'in';
    if (!isIn || body?.type !== 'statement_block' || !left || !right) return [];
    const offset = body.startIndex + 1;
    return [{ start: offset, end: offset, text: ` if (!${hasOwn(right.text, left.text)}) continue;` }];
  });
  return [...asked, ...named, ...loops, ...read];
}

/**
 * Adds one more term to a condition, or to a part of it: a value or a test that stands nearby. Values come first, since
 * the rest of a condition may need them.
 */
export function nearbyTerms(view: FunctionView): Replacement[] {
  return testPlaces(view).flatMap(node => {
    const values = nearbyValues(view, node, 14);
    const [close, others] = [values.slice(0, 4), values.slice(4)];
    const tests = [...nearbyTests(view, node, 6), ...nearbyItems(view, node, 3)];
    const sized = close.slice(0, 3);
    const asked = (terms: readonly string[]) =>
      terms.flatMap(term => [put(node, joined(node, '&&', term)), put(node, joined(node, '||', term))]);
    const before = (terms: readonly string[]) => terms.map(term => put(node, joined(node, '&&', term, true)));
    return [
      ...before(close),
      ...asked(tests.slice(0, 2)),
      ...before(close.map(negated)),
      ...asked(sized.flatMap(value => [`${value} > 1`, `${value} > 0`, `${value} === 0`])),
      ...before(sized.flatMap(value => [`${value}.length > 1`, `${value}.length > 0`])),
      ...close.map(value => put(node, joined(node, '||', value))),
      ...asked(tests.slice(0, 2).map(negated)),
      ...before(others),
      ...before(sized.flatMap(value => [`typeof ${value} === 'string'`, `Array.isArray(${value})`])),
      ...asked(tests.slice(2)),
      ...others.map(value => put(node, joined(node, '||', value))),
      ...before(others.map(negated)),
      ...close.map(value => put(node, joined(node, '||', negated(value)))),
      ...asked(tests.slice(2).map(negated)),
    ];
  });
}

/** Whole conditions and, within them and in other expressions, the sides of `&&` and `||`. */
function testPlaces(view: FunctionView): Node[] {
  const sides = binaries(view).flatMap(({ kind, operator, left, right }) =>
    kind === 'logical' && operator.text !== '??' ? [left, right] : [],
  );
  const returned = view.nodes.flatMap(node => {
    const value = node.type === 'return_statement' ? node.namedChild(0) : null;
    return value && binariesOf(value).some(({ kind }) => kind !== 'arithmetic') ? [value] : [];
  });
  const all = [...view.nodes.flatMap(node => conditionOf(node) ?? []), ...returned, ...sides];
  return distinct(all);
}

function isPlain(node: Node): boolean {
  return /^(?:identifier|member_expression|subscript_expression|call_expression)$/.test(node.type);
}

function negated(test: string): string {
  return /^[\w$.[\]]+$/.test(test) ? `!${test}` : `!(${test})`;
}

/** Another term needs parentheses on one of its sides, or around both. */
function joined(node: Node, operator: '&&' | '||', term: string, isFirst = false): string {
  const current = logicalIn(node);
  const isLoose = (current && current !== operator) || /^(?:ternary|assignment|arrow)/.test(node.type);
  const parts = [isLoose ? `(${node.text})` : node.text, term];
  const text = (isFirst ? parts.toReversed() : parts).join(` ${operator} `);
  return logicalIn(node.parent) === '&&' && operator === '||' ? `(${text})` : text;
}

function logicalIn(node: Node | null): string | null {
  const [logical] = node ? binariesOf(node).filter(({ kind }) => kind === 'logical') : [];
  return logical?.operator.text ?? null;
}
