import { type Node as AcornNode, parse } from 'acorn';
import { testsInvalid } from '../../errors.ts';
import type { PreparedTests, TestAssertion, TestStatement } from '../host/job.ts';
import { RECORDER } from '../host/recorder-name.ts';
import { dependentComparison } from './independent.ts';
import { moduleToScript } from './module-to-script.ts';
import { needsOneProcess, solutionNames } from './needs-one-process.ts';
import { neverRun } from './never-run.ts';
import { countAssertions } from './recorded-assertions.ts';
import {
  type AnyNode,
  applyInsertions,
  calleeOf,
  type Insertion,
  isNode,
  nameOf,
  nodesIn,
  requiredBy,
} from './syntax-tree.ts';
import type { TaskHelpers } from './task-helpers.ts';
import { alwaysFails, markBodies } from './test-bodies.ts';
import { freeNames, memberNames, namesIn, replacedNames, requiresCandidate } from './tests-names.ts';

/**
 * Parses the tests and instruments their assertions, so that the compared values are known afterwards; line
 * numbers do not change. Throws TESTS_INVALID for tests that do not parse, never mention the entry point or
 * contain no assertion.
 * @param counts whether the assertions are to be counted instead of judged
 */
export function prepareTests(
  text: string,
  entryPoint: string,
  helpers: TaskHelpers,
  counts = false,
): PreparedTests {
  const tests = moduleToScript(text, { awaits: true })?.code ?? text;
  const { tree, isAsync } = parseTests(tests);
  const insertions: Insertion[] = [];
  const statements: TestStatement[] = [];
  const assertions: TestAssertion[] = [];
  let comparisons = 0;
  let asserts = false;
  let throws = false;
  const asserting = assertingNames(tree);
  const isAssertion = (node: AnyNode): boolean => isAssertionBy(node, asserting);

  const insert = (at: number, text: string): void => void insertions.push({ at, text });
  const wrap = (node: AnyNode, before: string, after: string): void => {
    insert(node.start, before);
    insertions.push({ at: node.end, text: after, closes: node.start });
  };
  const note = (node: AnyNode): number => {
    const id = comparisons++;
    wrap(node, `${RECORDER}.note(${id},(`, '))');
    return id;
  };

  const instrument = (condition: AnyNode): void => {
    const id = assertions.length;
    const recorded: TestAssertion['comparisons'][number][] = [];
    assertions.push({ comparisons: recorded });
    wrap(condition, `(${RECORDER}.begin(${id}),${RECORDER}.check(${id},(`, ')))');
    const visit = (node: AnyNode, wanted: boolean): void => {
      if (node.type === 'LogicalExpression') {
        visit(child(node, 'left'), wanted);
        visit(child(node, 'right'), wanted);
      } else if (node.type === 'UnaryExpression' && node.operator === '!') {
        visit(child(node, 'argument'), !wanted);
      } else if (node.type === 'BinaryExpression' && isComparison(node)) {
        recorded.push({ ...compare(node), wanted });
      } else recorded.push({ kind: 'value', result: note(node), wanted });
    };
    const compare = (node: AnyNode): Omit<TestAssertion['comparisons'][number], 'wanted'> => {
      const left = child(node, 'left');
      const right = child(node, 'right');
      const operator = String(node.operator);
      const result = note(node);
      const distance = distanceOf(left);
      if (distance && (operator === '<' || operator === '<=')) {
        const swap = !mentions(distance.a, entryPoint) && mentions(distance.b, entryPoint);
        const [actual, expected] = swap ? [distance.b, distance.a] : [distance.a, distance.b];
        return {
          kind: 'distance',
          result,
          actual: note(actual),
          expected: note(expected),
          tolerance: note(right),
        };
      }
      const isJson = isStringify(left) && isStringify(right);
      const swap = mentions(right, entryPoint) && !mentions(left, entryPoint);
      const [actual, expected] = swap ? [right, left] : [left, right];
      return {
        kind: isJson ? 'json' : 'compare',
        operator: swap ? (mirrored[operator] ?? operator) : operator,
        result,
        actual: note(actual),
        expected: note(expected),
      };
    };
    visit(condition, true);
  };

  const statementOf = (node: AnyNode): TestStatement => ({
    line: line(node),
    endLine: endLine(node),
    text: oneLine(tests.slice(node.start, node.end)),
  });
  const counted = counts ? countAssertions(tree, tests, isAssertion, insertions).map(statementOf) : null;
  const compared = dependentComparison(tree, makersOf(tree, entryPoint), insertions);
  const bodies = markBodies(tree, tests, isAssertion, insertions);
  for (const node of nodesIn(tree)) {
    if (alwaysFails(node, isAssertion)) throws = true;
    const awaited = awaitedBy(node, isAssertion);
    if (awaited) wrap(awaited, `${RECORDER}.waits((`, '))');
    if (isAssertion(node)) {
      asserts = true;
      const [condition] = node.arguments as AnyNode[];
      if (takesCondition(node) && condition && condition.type !== 'SpreadElement') instrument(condition);
    }
    if (simpleStatements.has(node.type)) {
      statements.push(statementOf(node));
    }
  }

  if (!asserts && !throws) throw testsInvalid('assert nothing');
  if (!mentions(tree, entryPoint) && !mentions(tree, 'require'))
    throw testsInvalid(`never call ${entryPoint}`);
  const names = freeNames(tree);
  const lost = neverRun(tree, isAssertion);
  if (lost.length > 0) throw testsInvalid(`never run ${lost.join(', ')}`);
  const foreign = names.find(name => foreignRunners.has(name));
  if (foreign) throw testsInvalid(`use ${foreign}, which is neither Node's nor theirs`);
  return {
    awaits: nodesIn(tree).some(isAwaiting),
    iterates: nodesIn(tree).some(isIterating) || helpers.names.length > 0,
    program: applyInsertions(tests, insertions),
    names,
    members: requiresCandidate(tree) ? memberNames(tree) : [],
    replaced: replacedNames(tree),
    statements,
    topLines: (tree.body as AnyNode[])
      .filter(({ type }) => !type.endsWith('Declaration') || type.startsWith('Var'))
      .map(line),
    assertions,
    bodies,
    counted,
    helperLines: helperLines(tree),
    throws,
    isAsync,
    needsOneProcess: needsOneProcess(tree, { entryPoint, helpers, names, isGlobal }) ?? compared,
  };
}

/** Names of the tests for the entry point and the candidate's module. */
function makersOf(tree: AnyNode, entryPoint: string): ReadonlySet<string> {
  return new Set([entryPoint, ...solutionNames(nodesIn(tree))]);
}

/** What tests wait for: an `await`, or `then` with assertions in its functions. */
function awaitedBy(node: AnyNode, isAssertion: (node: AnyNode) => boolean): AnyNode | undefined {
  if (node.type === 'AwaitExpression') return child(node, 'argument');
  const callee = node.type === 'CallExpression' ? child(node, 'callee') : undefined;
  if (callee?.type !== 'MemberExpression' || !/^(then|catch|finally)$/.test(nameOf(callee.property)))
    return undefined;
  const asserts = (node.arguments as AnyNode[]).some(work => nodesIn(work).some(isAssertion));
  return asserts ? child(callee, 'object') : undefined;
}

function isAwaiting(node: AnyNode): boolean {
  return (
    node.type === 'AwaitExpression' ||
    /(^|\.)(then|rejects|doesNotReject|all|allSettled)$/.test(calleeOf(node))
  );
}

/** Whether a node takes one value after the other, which works with lists and with iterators. */
function isIterating(node: AnyNode): boolean {
  if (/^(SpreadElement|ForOfStatement|ArrayPattern)$/.test(node.type)) return true;
  const isMaker = node.type === 'NewExpression' && /^(Map|Set)$/.test(String((node.callee as AnyNode).name));
  return isMaker || /(^|\.)(from|fromEntries|next|Set|Map)$/.test(calleeOf(node));
}

function isGlobal(name: string): boolean {
  return globalNames.has(name);
}

function parseTests(tests: string): { tree: AnyNode; isAsync: boolean } {
  const options = { ecmaVersion: 'latest', locations: true, allowReturnOutsideFunction: true } as const;
  try {
    return {
      tree: parse(tests, { ...options, sourceType: 'script' }) as AcornNode as AnyNode,
      isAsync: false,
    };
  } catch (problem) {
    try {
      const tree = parse(tests, { ...options, sourceType: 'script', allowAwaitOutsideFunction: true });
      return { tree: tree as AcornNode as AnyNode, isAsync: true };
    } catch {
      throw testsInvalid(`do not parse (${problem instanceof Error ? problem.message : problem})`);
    }
  }
}

/** Functions of other test runners, whose tests would report nothing here. */
const foreignRunners = new Set(['expect', 'jest', 'vi', 'sinon', 'chai', 'should', 'QUnit', 'cy', 'tap']);

/** Names of the language, of Node's modules and of test runners. */
const globalNames = new Set([
  ...Object.getOwnPropertyNames(globalThis),
  ...`global require module exports __filename __dirname arguments undefined describe it test suite expect before after
      beforeEach afterEach beforeAll afterAll jest vi sinon chai should assert crypto navigator`.split(/\s+/),
  RECORDER,
]);

const mirrored: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

const simpleStatements = new Set([
  'ExpressionStatement',
  'VariableDeclaration',
  'ReturnStatement',
  'ThrowStatement',
]);

function isComparison(node: AnyNode): boolean {
  const comparison = ['===', '!==', '==', '!=', '<', '>', '<=', '>=', 'in', 'instanceof'];
  return comparison.includes(String(node.operator)) && child(node, 'left').type !== 'PrivateIdentifier';
}

/** `console.assert(…)`, `assert(…)`, `t.assert.anything(…)`, or a call of what `asserting` names. */
function isAssertionBy(node: AnyNode, asserting: ReadonlySet<string>): boolean {
  if (node.type !== 'CallExpression') return false;
  const callee = calleeOf(node);
  return (
    asserting.has(callee.split('.')[0] ?? '') || /^(console\.assert|(\w+\.)?assert(\.\w+)*)$/.test(callee)
  );
}

/** Names bound to Node's assert or to something of it: `const { equal: same } = require('assert')`. */
function assertingNames(tree: AnyNode): ReadonlySet<string> {
  const loadsAssert = (tree: AnyNode): boolean =>
    nodesIn(tree).some(node => /^(node:)?assert(\/strict)?$/.test(String(requiredBy(node))));
  const bound = nodesIn(tree).filter(
    ({ type, init }) => type === 'VariableDeclarator' && isNode(init) && loadsAssert(init),
  );
  return new Set(bound.flatMap(({ id }) => namesIn(id as AnyNode)));
}

function takesCondition(node: AnyNode): boolean {
  return /^(console\.assert|assert(\.strict)?(\.ok)?)$/.test(calleeOf(node));
}

function isStringify(node: AnyNode): boolean {
  return calleeOf(node) === 'JSON.stringify';
}

/** `Math.abs(a - b)` */
function distanceOf(node: AnyNode): { a: AnyNode; b: AnyNode } | null {
  if (calleeOf(node) !== 'Math.abs') return null;
  const [difference] = node.arguments as AnyNode[];
  if (difference?.type !== 'BinaryExpression' || difference.operator !== '-') return null;
  return { a: child(difference, 'left'), b: child(difference, 'right') };
}

function mentions(tree: AnyNode, name: string): boolean {
  return nodesIn(tree).some(node => node.type === 'Identifier' && node.name === name);
}

/** Lines of functions with parameters: for an assertion there, the line of the call says more. */
function helperLines(tree: AnyNode): { line: number; endLine: number }[] {
  const helpers = nodesIn(tree).filter(({ params }) => Array.isArray(params) && params.length > 0);
  return helpers.map(node => ({ line: line(node), endLine: endLine(node) }));
}

function child(node: AnyNode, key: string): AnyNode {
  const found = node[key];
  if (!isNode(found)) throw testsInvalid(`hold a ${node.type} without its ${key}`);
  return found;
}

function line(node: AnyNode): number {
  return node.loc?.start.line ?? 1;
}

function endLine(node: AnyNode): number {
  return node.loc?.end.line ?? 1;
}

function oneLine(text: string): string {
  const short = text.replace(/\s+/g, ' ').trim();
  return short.length > 300 ? `${short.slice(0, 299)}…` : short;
}
