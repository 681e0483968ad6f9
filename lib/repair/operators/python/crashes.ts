import type { Node } from '@vscode/tree-sitter-wasm';
import { bare, callOf, isInLoop, isLoop, memberOf, subscriptOf } from '../../../syntax/nodes.ts';
import { raisedTypes } from '../facts.ts';
import { binaries, distinct, type FunctionView, type Replacement, returnedTexts } from '../function-view.ts';
import { errorTexts } from './exceptions.ts';
import { guardBefore, isStatement } from './layout.ts';

/** Number of values that an early return may have. */
const MAX_RETURNS = 6;

/**
 * Asks, before a statement that may raise the exception of the failing tests, for what would raise it: returns, goes on
 * with the next item, or raises what the tests wait for.
 */
export function crashGuards(view: FunctionView): Replacement[] {
  const awaited = view.failures.awaited.flatMap(error => errorTexts(view, error, 'invalid value'));
  const returns = returnsOf(view);
  return raisedTypes(view.failures).flatMap(type =>
    (causes[type]?.(view) ?? []).flatMap(({ node, test }) => {
      const statement = statementAround(node);
      if (!statement) return [];
      const exits = [
        ...awaited.map(text => `raise ${text}`),
        ...(isInLoop(statement) ? ['continue'] : []),
        ...returns,
      ];
      return exits.map(exit => guardBefore(statement, test, exit));
    }),
  );
}

/** With an empty value of the kind that the function returns elsewhere first; without any if it returns none. */
function returnsOf(view: FunctionView): string[] {
  if (view.results.length === 0) return ['return'];
  const alike = view.results.flatMap(text => kinds.find(([kind]) => kind.test(text))?.[1] ?? []);
  return [...new Set([...alike, ...returnedTexts(view)])]
    .slice(0, MAX_RETURNS)
    .map(value => `return ${value}`);
}

/** How results of a kind are written, and an empty one. */
const kinds: readonly (readonly [kind: RegExp, empty: string])[] = [
  [/^[rbf]?["']|^str\(|\.(?:join|format|replace|strip|lower|upper|title)\([^()]*\)$/, "''"],
  [/^\[|^(?:list|sorted)\(/, '[]'],
  [/^\{.*:|^\{\}|^dict\(/s, '{}'],
  [/^(?:len|int|sum)\(/, '0'],
  [/^not |^(?:isinstance|bool|any|all)\(|^[\w.]+ (?:[<>=!]=?|in|is) /, 'False'],
];

/** What raises an exception, and the test for it. */
interface Cause {
  readonly node: Node;
  readonly test: string;
}

const causes: Readonly<Record<string, (view: FunctionView) => Cause[]>> = {
  IndexError: view =>
    itemsOf(view).map(({ node, object, index }) => ({ node, test: `len(${object.text}) <= ${index.text}` })),
  KeyError: view =>
    itemsOf(view).map(({ node, object, index }) => ({ node, test: `${index.text} not in ${object.text}` })),
  ZeroDivisionError: view =>
    binaries(view)
      .filter(({ operator }) => /^(?:\/\/?|%)$/.test(operator.text))
      .map(({ node, right }) => ({ node, test: `${bare(right)?.text} == 0` })),
  AttributeError: view =>
    view.nodes.flatMap(node => {
      const member = memberOf(node);
      if (!member || /^(?:self|cls)$/.test(member.object.text)) return [];
      const { object, name } = member;
      return [`${object.text} is None`, `not hasattr(${object.text}, '${name.text}')`].map(test => ({
        node,
        test,
      }));
    }),
  TypeError: view =>
    usedValues(view).flatMap(node =>
      [`${node.text} is None`, `not isinstance(${node.text}, str)`].map(test => ({ node, test })),
    ),
};

function itemsOf(view: FunctionView): { node: Node; object: Node; index: Node }[] {
  return view.nodes.flatMap(node => {
    const item = subscriptOf(node);
    return item && item.index.type !== 'slice' ? [{ node, ...item }] : [];
  });
}

/** Variables and attributes that are passed, iterated or combined with others. */
function usedValues(view: FunctionView): Node[] {
  const all = [
    ...view.nodes.flatMap(node => callOf(node)?.args ?? []),
    ...view.nodes.flatMap(node => subscriptOf(node)?.object ?? []),
    ...view.nodes.filter(isLoop).flatMap(node => node.childForFieldName('right') ?? []),
    ...binaries(view).flatMap(({ left, right }) => [left, right]),
  ];
  return distinct(all).filter(({ type, text }) => /^(?:identifier|attribute)$/.test(type) && text !== 'self');
}

function statementAround(node: Node): Node | null {
  let statement: Node | null = node;
  while (statement && !isStatement(statement)) statement = statement.parent;
  return statement;
}
