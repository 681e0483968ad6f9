import { RECORDER } from '../host/recorder-name.ts';
import {
  type AnyNode,
  calleeOf,
  childrenOf,
  type Insertion,
  isNode,
  nodesIn,
  requiredBy,
} from './syntax-tree.ts';
import { freeNames, namesIn } from './tests-names.ts';

/** A function of the tests that holds assertions, itself or in a helper that it mentions. */
export interface TestBody {
  readonly line: number;
  /** Whether it fails as a test if it reaches none of them: it cannot fail in another way. */
  readonly mustReach: boolean;
  /** Whether it stands in a call that registers it as a test. */
  readonly mustRun: boolean;
}

type IsAssertion = (node: AnyNode) => boolean;

/** The number of the outermost marked function in a function's source. */
export function bodyNumberIn(source: string): number | undefined {
  const number = MARK.exec(source)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** The first test that has to run and is not among those that did. */
export function missingTest(bodies: readonly TestBody[], ran: readonly number[]): TestBody | undefined {
  return bodies.find((body, number) => body.mustRun && !ran.includes(number));
}

const MARK = new RegExp(`/\\*${RECORDER.replaceAll('$', '\\$')} (\\d+)\\*/`);

/**
 * Marks functions that hold assertions with their number in the result, by a comment at the beginning of the body: any of
 * them may be registered as a test.
 */
export function markBodies(
  tree: AnyNode,
  tests: string,
  isAssertion: IsAssertion,
  insertions: Insertion[],
): readonly TestBody[] {
  const { asserts, fails } = helperNames(tree, isAssertion);
  const runners = runnerNames(tree);
  const bodies: TestBody[] = [];

  const registration = (node: AnyNode): 'test' | 'suite' | undefined => {
    const [first = '', ...members] = calleeOf(node).split('.');
    const last = members.filter(name => !/^(skip|todo|only)$/.test(name)).at(-1);
    const kind = last ?? runners.get(first);
    if (!runners.has(first) && !/^(test|it)$/.test(kind ?? '')) return undefined;
    if (/^(test|it|default)$/.test(kind ?? '')) return 'test';
    return /^(describe|suite)$/.test(kind ?? '') ? 'suite' : undefined;
  };
  /** Whether a node holds something outside of the tests that it registers. */
  const holds = (node: AnyNode, what: (node: AnyNode) => boolean, others: boolean): boolean =>
    what(node) ||
    childrenOf(node).some(
      next => !(!others && isFunction(next) && registration(node) === 'test') && holds(next, what, others),
    );
  const isReached = (node: AnyNode): boolean =>
    isAssertion(node) || (node.type === 'Identifier' && asserts.has(String(node.name)));
  const isOtherEnd = (node: AnyNode): boolean =>
    canFail(node, isAssertion) || (node.type === 'Identifier' && fails.has(String(node.name)));

  const walk = (node: AnyNode, isRegistered: boolean, isSkipped: boolean): void => {
    if (isFunction(node) && holds(node, isReached, true)) {
      const body = node.body as AnyNode;
      const at = body.type === 'BlockStatement' ? body.start + 1 : tests.lastIndexOf('=>', body.start) + 2;
      insertions.push({ at, text: `/*${RECORDER} ${bodies.length}*/` });
      bodies.push({
        line: node.loc?.start.line ?? 1,
        mustReach: holds(node, isReached, false) && !holds(node, isOtherEnd, false),
        mustRun: isRegistered && !isSkipped,
      });
    }
    const kind = registration(node);
    const [head = ''] = calleeOf(node).split('.');
    // Without a runner, tests have one of their own, which may do anything.
    const registers = kind === 'test' && runners.size > 0 && (runners.has(head) || head === 't');
    const skips = isSkipped || (kind !== undefined && isSkippedBy(node));
    for (const next of childrenOf(node)) walk(next, registers && isFunction(next), skips);
  };
  walk(tree, false, false);
  return bodies;
}

/** Whether a node fails without an assertion that can hold. */
export function alwaysFails(node: AnyNode, isAssertion: IsAssertion): boolean {
  if (node.type === 'ThrowStatement') return true;
  if (!isAssertion(node)) return false;
  const [condition] = node.arguments as AnyNode[];
  const isFalse = condition?.type === 'Literal' && !condition.value;
  return (
    /(^|\.)fail$/.test(calleeOf(node)) ||
    (isFalse && /^(console\.assert|assert(\.strict)?(\.ok)?)$/.test(calleeOf(node)))
  );
}

/** The same, or it hands on a failure, or adds a listener that may assert later. */
function canFail(node: AnyNode, isAssertion: IsAssertion): boolean {
  if (alwaysFails(node, isAssertion)) return true;
  if (node.type === 'AssignmentExpression') return isNode(node.left) && /exitCode$/.test(memberOf(node.left));
  const callee = calleeOf(node);
  if (/^process\.(exit|on|once)$/.test(callee)) return true;
  return /^(done|reject|Promise\.reject)$/.test(callee) && (node.arguments as AnyNode[]).length > 0;
}

function memberOf(node: AnyNode): string {
  return node.type === 'MemberExpression' ? String((node.property as AnyNode).name) : '';
}

/** Names of functions, classes and objects of the tests that assert, or that fail without an assertion. */
function helperNames(
  tree: AnyNode,
  isAssertion: IsAssertion,
): { readonly asserts: ReadonlySet<string>; readonly fails: ReadonlySet<string> } {
  const declared = new Map<string, AnyNode>();
  for (const node of nodesIn(tree)) {
    if (/^(Function|Class)Declaration$/.test(node.type))
      for (const name of isNode(node.id) ? namesIn(node.id) : []) declared.set(name, node);
    if (node.type === 'VariableDeclarator' && isNode(node.init) && HELPERS.test(node.init.type))
      for (const name of namesIn(node.id as AnyNode)) declared.set(name, node.init);
  }
  const having = (what: (node: AnyNode) => boolean): ReadonlySet<string> => {
    const found = new Set<string>();
    const holds = (tree: AnyNode): boolean =>
      nodesIn(tree).some(node => what(node) || (node.type === 'Identifier' && found.has(String(node.name))));
    for (let before = -1; before < found.size; ) {
      before = found.size;
      for (const [name, node] of declared) if (!found.has(name) && holds(node)) found.add(name);
    }
    return found;
  };
  return { asserts: having(isAssertion), fails: having(node => canFail(node, isAssertion)) };
}

const HELPERS = /^(Arrow)?FunctionExpression$|^ClassExpression$|^ObjectExpression$/;

/** Names bound to node:test or to something of it, and the runner's globals, with what they stand for. */
function runnerNames(tree: AnyNode): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of freeNames(tree)) if (/^(test|it|describe|suite)$/.test(name)) found.set(name, name);
  const loadsRunner = (tree: AnyNode): boolean =>
    nodesIn(tree).some(node => requiredBy(node) === 'node:test');
  for (const node of nodesIn(tree)) {
    if (node.type === 'VariableDeclarator' && isNode(node.init) && loadsRunner(node.init)) {
      const pattern = node.id as AnyNode;
      if (pattern.type === 'Identifier') found.set(String(pattern.name), 'test');
      for (const { key, value } of (pattern.properties ?? []) as AnyNode[])
        if (isNode(key) && isNode(value)) found.set(String(value.name), String(key.name));
    }
  }
  return found;
}

/** `test.skip(…)`, or `test('…', { skip: … }, …)` */
function isSkippedBy(node: AnyNode): boolean {
  if (calleeOf(node).split('.').includes('skip')) return true;
  return (node.arguments as AnyNode[]).some(
    ({ type, properties }) =>
      type === 'ObjectExpression' &&
      (properties as AnyNode[]).some(({ key }) => isNode(key) && key.name === 'skip'),
  );
}

function isFunction({ type }: AnyNode): boolean {
  return /Function/.test(type);
}
