import { mayRequire } from './code-from-text.ts';
import { beyondLanguage, boundNames } from './language.ts';
import { type AnyNode, calleeOf, childrenOf, isNode, keyOf, nodesIn, requiredBy } from './syntax-tree.ts';
import type { TaskHelpers } from './task-helpers.ts';
import { assignedNames, namesIn } from './tests-names.ts';

/**
 * Why tests need more of a candidate than calls of one function with plain data, so that one process has to run both;
 * undefined if they do not. It follows from the tests and the declaration alone, so each candidate gets the same judge.
 * What the tests do to results counts: a result that is changed, called, or asked for a method that data does not have is
 * an object with behaviour.
 */
export function needsOneProcess(
  tree: AnyNode,
  { entryPoint, helpers, names, isGlobal }: TestsToRead,
): string | undefined {
  const nodes = nodesIn(tree);
  const parents = parentsOf(tree);
  const results = resultNames(nodes, entryPoint);
  const solutions = solutionNames(nodes);
  const own = ownClasses(nodes);
  const assigned = assignedNames(tree);

  const free = new Set(names);
  const bound = boundNames(nodes);
  const isFreeGlobal = (name: string): boolean => free.has(name) && isGlobal(name);
  const isEntry = (node: unknown): boolean => isNode(node) && isName(node, entryPoint);
  const isSolution = (node: unknown): boolean =>
    isNode(node) && (solutions.has(nameIn(node)) || String(requiredBy(node)).startsWith('.'));
  const isResult = (node: unknown): boolean =>
    isNode(node) && comesFrom(node, entryPoint, results, solutions);

  const candidates = names.filter(
    name => !isGlobal(name) && !helpers.names.includes(name) && name !== entryPoint,
  );
  const [other] = candidates.filter(name => !assigned.has(name));
  if (other) return `use ${other}, which the candidate defines`;
  const shared = [...assigned].find(name => names.includes(name) && name !== entryPoint);
  if (shared) return `assign ${shared}, which the candidate can read`;
  const state = helpers.variables.find(name => names.includes(name));
  if (state) return `use ${state}, a variable that the candidate shares`;
  const hidden = helpers.closedClasses.find(name => names.includes(name));
  if (hidden) return `use ${hidden}, whose objects are more than their fields`;

  for (const node of nodes) {
    const parent = parents.get(node);
    const reason =
      (node.type === 'Identifier' && isEntry(node) && parent && otherUse(node, parent, entryPoint)) ||
      ofSolution(node, parent, isSolution, entryPoint) ||
      (isMethod(node, entryPoint, isSolution) && `call ${entryPoint} as a method of other objects`) ||
      ofSkip(node) ||
      ofResult(node, isResult) ||
      beyondLanguage(node, parent, { isGlobal: isFreeGlobal, isResult, ...bound }) ||
      ofNode(node, { isGlobal, helpers, own, isEntry });
    if (reason) return reason;
  }
  return undefined;
}

interface TestsToRead {
  readonly entryPoint: string;
  readonly helpers: TaskHelpers;
  /** What they use and do not declare. */
  readonly names: readonly string[];
  isGlobal(name: string): boolean;
}

/** A use of the entry point other than a call, or handing it on to be called. */
function otherUse(node: AnyNode, parent: AnyNode, entryPoint: string): string | undefined {
  const behaviour = `use ${entryPoint} as an object`;
  switch (parent.type) {
    case 'NewExpression':
      return parent.callee === node ? `construct ${entryPoint}` : undefined;
    case 'MemberExpression':
      return parent.object === node ? behaviour : undefined;
    case 'ClassDeclaration':
    case 'ClassExpression':
      return `extend ${entryPoint}`;
    case 'BinaryExpression':
    case 'TemplateLiteral':
    case 'AssignmentExpression':
    case 'TaggedTemplateExpression':
      return behaviour;
    case 'CallExpression':
      return parent.callee !== node && isName(parent.callee, 'String') ? behaviour : undefined;
    default:
      return undefined;
  }
}

/** A use of the candidate's module for anything but the entry point. */
function ofSolution(
  node: AnyNode,
  parent: AnyNode | undefined,
  isSolution: (node: unknown) => boolean,
  entryPoint: string,
): string | undefined {
  if (node.type === 'VariableDeclarator' && isSolution(node.init)) {
    const { type, properties } = node.id as AnyNode;
    if (type === 'Identifier') return undefined;
    const keys = type === 'ObjectPattern' ? (properties as AnyNode[]).map(({ key }) => nameIn(key)) : ['?'];
    const other = keys.find(key => key !== entryPoint && key !== 'default');
    return other === undefined ? undefined : `use ${other}, which the candidate defines`;
  }
  if (!isSolution(node) || !parent) return undefined;
  if (parent.type === 'MemberExpression' && parent.object === node) {
    const key = keyOf(parent);
    return key === entryPoint || key === 'default'
      ? undefined
      : `use ${key ?? 'names'}, which the candidate defines`;
  }
  const isDeclared =
    parent.type === 'VariableDeclarator' || /^(Property|AssignmentPattern)$/.test(parent.type);
  const isCalled = parent.type === 'CallExpression' && parent.callee === node;
  return isDeclared || isCalled || parent.type === 'ExpressionStatement'
    ? undefined
    : "use the candidate's module";
}

function isMethod(node: AnyNode, entryPoint: string, isSolution: (node: unknown) => boolean): boolean {
  const callee = node.type === 'CallExpression' ? (node.callee as AnyNode) : undefined;
  return callee?.type === 'MemberExpression' && keyOf(callee) === entryPoint && !isSolution(callee.object);
}

/** `t.skip()`: a test may give up where a result is wrong. `test.skip('…', …)` leaves out one that never runs. */
function ofSkip(node: AnyNode): string | undefined {
  const [owner = '', key] = calleeOf(node).split(/\.(?=\w+$)/);
  const isRunner = /(^|\.)(test|it|describe|suite)$/.test(owner) && owner.split('.')[0] !== 't';
  if (!/^(skip|todo)$/.test(key ?? '') || isRunner) return undefined;
  return `use ${owner}.${key}, which may depend on a result`;
}

/** What data does not do. */
function ofResult(node: AnyNode, isResult: (node: unknown) => boolean): string | undefined {
  const behaviour = 'use a result as an object with behaviour';
  if (node.type === 'CallExpression') {
    const callee = node.callee as AnyNode;
    if (isResult(callee) && callee.type !== 'MemberExpression') return 'call a result';
    if (callee.type === 'MemberExpression' && isResult(callee.object)) {
      const key = keyOf(callee);
      if (key === undefined || !dataMethods.has(key)) return behaviour;
    }
    const takesResult = (node.arguments as AnyNode[]).some(isResult);
    const reflects = /^(Object|Reflect)$/.test(nameIn(callee.object)) && !readsData.test(keyOf(callee) ?? '');
    if (takesResult && (isName(callee, 'String') || reflects)) return behaviour;
  }
  if (node.type === 'NewExpression' && isResult(node.callee)) return 'construct a result';
  if (node.type === 'TaggedTemplateExpression' && isResult(node.tag)) return 'call a result';
  if (node.type === 'MemberExpression' && isResult(node.object))
    if (/^(constructor|__proto__|prototype)$/.test(keyOf(node) ?? '') || isNegative(node.property))
      return behaviour;
  const changed =
    node.type === 'AssignmentExpression'
      ? node.left
      : node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node.operator === 'delete')
        ? node.argument
        : undefined;
  if (isNode(changed) && changed.type === 'MemberExpression' && isResult(changed.object))
    return 'change a result';
  if (node.type === 'BinaryExpression') {
    const sides = [node.left, node.right] as AnyNode[];
    const isType = sides.some(
      ({ type, operator, argument }) =>
        type === 'UnaryExpression' && operator === 'typeof' && isResult(argument),
    );
    if (isType && sides.some(({ value }) => value === 'function' || value === 'symbol'))
      return 'want a function as a result';
  }
  return undefined;
}

/** `-1` as an index */
function isNegative(key: unknown): boolean {
  return isNode(key) && key.type === 'UnaryExpression' && key.operator === '-';
}

const readsData = /^(keys|values|entries|is|isFrozen|isSealed|fromEntries|assign|ownKeys|groupBy)$/;

interface Known {
  isGlobal(name: string): boolean;
  readonly helpers: TaskHelpers;
  readonly own: ReadonlySet<string>;
  isEntry(node: unknown): boolean;
}

/** Anything else that two processes would not share. */
function ofNode(node: AnyNode, { isGlobal, helpers, own, isEntry }: Known): string | undefined {
  if (node.type === 'ForOfStatement' && node.await) return 'iterate asynchronously';
  if (node.type === 'ImportExpression') return 'import modules';
  if (node.type === 'BinaryExpression' && node.operator === 'instanceof') {
    const name = nameIn(node.right);
    if (!isGlobal(name) && !helpers.names.includes(name)) return `check for ${name}`;
  }
  if (node.type === 'MemberExpression') {
    const path = dotted(node);
    if (/(^|\.)mock\b/.test(path)) return 'use mocks';
    if (/^(console)\.\w+\.mock/.test(path) || path === 'Symbol.asyncIterator') return `use ${path}`;
    // It says what an object calls itself.
    if (path.startsWith('Object.prototype.toString')) return 'use Object.prototype.toString';
  }
  if (node.type === 'AssignmentExpression' || node.type === 'UpdateExpression') {
    const path = dotted((node.left ?? node.argument) as AnyNode);
    const [first = ''] = path.split('.');
    if (path.includes('.') && isGlobal(first) && !/^(module|exports|process\.exitCode)\b/.test(path))
      return `replace ${path}`;
  }
  if (node.type === 'Identifier' && /^(mock|MockTimers)$/.test(String(node.name))) return 'use mocks';
  if (node.type === 'CallExpression') {
    const callee = dotted(node.callee as AnyNode);
    const args = node.arguments as AnyNode[];
    if (callee === 'require') {
      const name = args[0]?.value;
      if (typeof name !== 'string') return 'require what they compute';
      if (!mayRequire(name)) return `use Node's ${name}`;
    }
    if (/^(Object|Reflect)\.(assign|defineProperty|defineProperties|setPrototypeOf)$/.test(callee) && args[0])
      if (isGlobal(dotted(args[0]).split('.')[0] ?? '')) return `replace ${dotted(args[0])}`;
    if (isEntry(node.callee)) {
      const handed = args.find(arg => isBehaviour(arg, isGlobal, own));
      if (handed) return 'hand over more than plain data';
    }
  }
  return undefined;
}

/** Functions, and objects of classes that are not the language's. */
function isBehaviour(node: AnyNode, isGlobal: (name: string) => boolean, own: ReadonlySet<string>): boolean {
  if (/Function|^Class/.test(node.type)) return true;
  if (node.type === 'Identifier') return own.has(String(node.name));
  if (node.type === 'NewExpression') return !plainClasses.test(nameIn(node.callee));
  if (node.type === 'ArrayExpression')
    return (node.elements as unknown[]).some(each => isNode(each) && isBehaviour(each, isGlobal, own));
  if (node.type === 'ObjectExpression')
    return (node.properties as AnyNode[]).some(
      ({ value, kind }) =>
        kind === 'get' || kind === 'set' || (isNode(value) && isBehaviour(value, isGlobal, own)),
    );
  return false;
}

const plainClasses =
  /^(Array|Object|Map|Set|Date|RegExp|\w*Error|(Big)?(Int|Uint|Float)\d+(Clamped)?Array|ArrayBuffer|DataView|[A-Z]\w*)$/;

/** Methods of the language's own data, which a copy of the result has too. */
const dataMethods = new Set(
  `at concat copyWithin every filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join keys
   lastIndexOf map reduce reduceRight reverse slice some sort toReversed toSorted toSpliced with values entries
   charAt charCodeAt codePointAt endsWith localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll
   search split startsWith substr substring toLowerCase toUpperCase toLocaleLowerCase toLocaleUpperCase trim trimStart trimEnd
   toFixed toPrecision toExponential toString toLocaleString valueOf has get size hasOwnProperty
   getTime getDate getDay getMonth getFullYear getHours getMinutes getSeconds getMilliseconds getUTCDate getUTCDay
   getUTCMonth getUTCFullYear getUTCHours getUTCMinutes getUTCSeconds getUTCMilliseconds toISOString toJSON toDateString
   toUTCString toTimeString toLocaleDateString toLocaleTimeString getTimezoneOffset
   test exec subarray then catch finally next isWellFormed union intersection difference isSubsetOf`.split(
    /\s+/,
  ),
);

/** Names of the tests that may hold a result of the entry point, or a part of one. */
function resultNames(nodes: readonly AnyNode[], entryPoint: string): ReadonlySet<string> {
  const found = new Set<string>();
  const solutions = solutionNames(nodes);
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const node of nodes) {
      const [target, value] =
        node.type === 'VariableDeclarator'
          ? [node.id, node.init]
          : node.type === 'AssignmentExpression'
            ? [node.left, node.right]
            : node.type === 'ForOfStatement'
              ? [((node.left as AnyNode).declarations as AnyNode[] | undefined)?.[0]?.id, node.right]
              : [];
      if (isNode(target) && isNode(value) && comesFrom(value, entryPoint, found, solutions))
        for (const name of namesIn(target)) found.add(name);
    }
  }
  return found;
}

/** Whether an expression is a result, or a part of one. */
function comesFrom(
  node: AnyNode,
  entryPoint: string,
  results: ReadonlySet<string>,
  solutions: ReadonlySet<string>,
): boolean {
  const follow = (next: unknown): boolean => isNode(next) && comesFrom(next, entryPoint, results, solutions);
  switch (node.type) {
    case 'Identifier':
      return results.has(String(node.name));
    case 'CallExpression': {
      const callee = node.callee as AnyNode;
      if (isName(callee, entryPoint) || solutions.has(nameIn(callee))) return true;
      if (callee.type !== 'MemberExpression') return follow(callee);
      if (solutions.has(nameIn(callee.object))) return true;
      // A method of data returns other data; one of another object may return that.
      const key = keyOf(callee) ?? '';
      return (
        follow(callee.object) &&
        (!dataMethods.has(key) || /^(at|find|get|next|then|catch|finally)$/.test(key))
      );
    }
    case 'AwaitExpression':
      return follow(node.argument);
    case 'MemberExpression':
      return follow(node.object) && keyOf(node) !== 'length';
    case 'ChainExpression':
      return follow(node.expression);
    case 'ConditionalExpression':
      return follow(node.consequent) || follow(node.alternate);
    case 'LogicalExpression':
      return follow(node.left) || follow(node.right);
    case 'AssignmentExpression':
      return follow(node.right);
    default:
      return false;
  }
}

/** Names bound to what the candidate exports. */
export function solutionNames(nodes: readonly AnyNode[]): ReadonlySet<string> {
  const bound = nodes.filter(
    ({ type, init, id }) =>
      type === 'VariableDeclarator' &&
      isNode(init) &&
      nodesIn(init).some(node => String(requiredBy(node)).startsWith('.')) &&
      (id as AnyNode).type === 'Identifier',
  );
  return new Set(bound.flatMap(({ id }) => namesIn(id as AnyNode)));
}

/** Classes and functions that the tests define. */
function ownClasses(nodes: readonly AnyNode[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const node of nodes) {
    const isDefined = /^(Class|Function)Declaration$/.test(node.type);
    const isBound =
      node.type === 'VariableDeclarator' && isNode(node.init) && /Function|^Class/.test(node.init.type);
    if ((isDefined || isBound) && isNode(node.id)) for (const name of namesIn(node.id)) found.add(name);
  }
  return found;
}

function parentsOf(tree: AnyNode): ReadonlyMap<AnyNode, AnyNode> {
  const parents = new Map<AnyNode, AnyNode>();
  const walk = (node: AnyNode): void => {
    for (const next of childrenOf(node)) {
      parents.set(next, node);
      walk(next);
    }
  };
  walk(tree);
  return parents;
}

function isName(node: unknown, name: string): boolean {
  return isNode(node) && node.type === 'Identifier' && node.name === name;
}

function nameIn(node: unknown): string {
  return isNode(node) && node.type === 'Identifier' ? String(node.name) : '';
}

function dotted(node: AnyNode): string {
  if (node.type === 'Identifier') return String(node.name);
  return node.type === 'MemberExpression' ? `${dotted(node.object as AnyNode)}.${keyOf(node) ?? '*'}` : '?';
}
