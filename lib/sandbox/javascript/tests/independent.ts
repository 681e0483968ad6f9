import { RECORDER } from '../host/recorder-name.ts';
import { type AnyNode, calleeOf, childrenOf, type Insertion, isNode, keyOf, nodesIn } from './syntax-tree.ts';
import { namesIn } from './tests-names.ts';

/**
 * Why the tests compare results of the candidate only with what it makes or can change too; undefined if they do not, or
 * only the run can tell. In `f(f(x)) === f(x)`, the candidate makes both sides. In `push(stack, 3) === stack.length`, it
 * makes one and can change the other. Such tests do not decide alone, so two processes prove nothing.
 *
 * For the run, arguments that are read again in such a comparison go through `handed` of the recorder.
 */
export function dependentComparison(
  tree: AnyNode,
  makers: ReadonlySet<string>,
  insertions: Insertion[],
): string | undefined {
  const callers = callersOf(tree, makers);
  const scopesIn = (node: AnyNode, results: ReadonlySet<string>): Scope[] => {
    const { nodes, inner } = scopeOf(node);
    const scope = readScope(nodes, callers, results);
    return [scope, ...inner.flatMap(one => scopesIn(one, scope.results))];
  };
  const scopes = scopesIn(tree, new Set());
  const line = scopes.flatMap(scope => scope.dependent())[0];
  if (line !== undefined) return `compare results with results in line ${line}`;
  for (const scope of scopes)
    for (const { start, end } of scope.readAgain())
      insertions.push({ at: start, text: `${RECORDER}.handed((` }, { at: end, text: '))', closes: start });
  return undefined;
}

/** `case.0` for `case[0]`: the name of a variable and of its parts, as far as they are written down. */
type Path = readonly string[];

interface Scope {
  /** Names of what the candidate makes. */
  readonly results: ReadonlySet<string>;
  /** Lines of comparisons whose sides the candidate makes, all of them. */
  dependent(): number[];
  /** Arguments that are compared with results. */
  readAgain(): AnyNode[];
}

function readScope(
  nodes: readonly AnyNode[],
  makers: ReadonlySet<string>,
  outer: ReadonlySet<string>,
): Scope {
  const results = new Set(outer);
  const bindings = nodes.flatMap(bindingsOf);
  const same = new Map<string, Path>();
  /** Names that may hold a part of a handed argument. */
  const aliases = new Map<string, Path>();
  const isCall = (node: AnyNode): boolean =>
    /^(Call|New)Expression$/.test(node.type) && makers.has(lastOf(node));
  const calls = nodes.filter(isCall);
  const loops = nodes.filter(({ type }) => /^(For|While|DoWhile)/.test(type));

  const pathOf = (node: AnyNode): Path | undefined => {
    if (node.type === 'Identifier') return same.get(String(node.name)) ?? [String(node.name)];
    if (node.type !== 'MemberExpression') return undefined;
    const path = pathOf(node.object as AnyNode);
    const key = keyOf(node);
    // `xs.length` reads all of a list.
    return path && key !== undefined && key !== 'length' && !callees.has(node) ? [...path, key] : path;
  };
  const callees = new Set(nodes.filter(({ type }) => type === 'CallExpression').map(({ callee }) => callee));
  for (const { names, value } of bindings) {
    const path = pathOf(value);
    const [name, ...others] = names;
    if (path && name !== undefined && others.length === 0 && path[0] !== name) same.set(name, path);
  }
  const pathsIn = (node: AnyNode): Path[] => {
    const path = pathOf(node);
    if (path) return [path];
    return fresh.test(calleeOf(node)) ? [] : valuesIn(node).flatMap(pathsIn);
  };
  const handed = calls.flatMap(call => (call.arguments as AnyNode[]).flatMap(pathsIn));
  const isMade = (node: AnyNode): boolean =>
    nodesIn(node).some(
      part =>
        isCall(part) ||
        (part.type === 'Identifier' && (results.has(String(part.name)) || makers.has(String(part.name)))),
    );
  const readsOf = (node: AnyNode): Path[] => {
    if (isCall(node)) return [];
    const path = pathOf(node);
    if (!path) return valuesIn(node).flatMap(readsOf);
    const found = aliases.get(path[0] ?? '') ?? path;
    return handed.filter(other => overlap(found, other));
  };
  const mayHaveChanged = (node: AnyNode, path: Path): boolean =>
    calls
      .filter(call => (call.arguments as AnyNode[]).flatMap(pathsIn).some(other => overlap(path, other)))
      .some(
        call =>
          call.start < node.start ||
          loops.some(loop => isIn(call, loop) && isIn(node, loop) && !binds(loop, path[0] ?? '')),
      );
  const comparisons = nodes.flatMap(sidesOf);

  for (let before = -1; before < results.size + aliases.size; ) {
    before = results.size + aliases.size;
    for (const { names, value, node } of bindings) {
      if (isMade(value)) for (const name of names) results.add(name);
      const isPart = /^(Identifier|MemberExpression|ArrayExpression|ObjectExpression)$/.test(value.type);
      for (const path of readsOf(value))
        if (isPart || mayHaveChanged(node, path))
          for (const name of names) if (name !== path[0]) aliases.set(name, path);
    }
    for (const node of nodes) {
      const callee = node.type === 'CallExpression' ? (node.callee as AnyNode) : undefined;
      // `results.push(f(1))`
      if (callee?.type !== 'MemberExpression' || isCall(node)) continue;
      const { type, name } = callee.object as AnyNode;
      const takes = /^(push|unshift|splice|set|add|fill)$/.test(lastOf(node));
      if (type === 'Identifier' && takes && (node.arguments as AnyNode[]).some(isMade))
        results.add(String(name));
    }
  }
  return {
    results,
    dependent: () =>
      comparisons.flatMap(sides => (sides.every(isMade) ? [sides[0]?.loc?.start.line ?? 1] : [])),
    readAgain() {
      const compared = comparisons.filter(sides =>
        sides.every(side => isMade(side) || readsOf(side).length > 0),
      );
      const found = [...compared.flat(), ...nodes.flatMap(conditionOf).filter(isMade)].flatMap(readsOf);
      return calls
        .flatMap(call => call.arguments as AnyNode[])
        .map(arg => (arg.type === 'SpreadElement' ? (arg.argument as AnyNode) : arg))
        .filter(arg => pathsIn(arg).some(path => found.some(other => overlap(path, other))));
    },
  };
}

/** What makes a new value of its arguments. */
const fresh = /^(structuredClone|JSON\.(parse|stringify)|String|Number|Math\.\w+)$/;

/** The sides of a comparison, or the two values that an assertion or a function compares. */
function sidesOf(node: AnyNode): AnyNode[][] {
  if (node.type === 'BinaryExpression' && /^([!=]==?|[<>]=?|in)$/.test(String(node.operator)))
    return [[node.left as AnyNode, node.right as AnyNode]];
  if (node.type !== 'CallExpression') return [];
  const args = node.arguments as AnyNode[];
  const name = lastOf(node);
  const [first, second] = args;
  if (
    /^(equals|includes|every|some)$/.test(name) &&
    (node.callee as AnyNode).type === 'MemberExpression' &&
    first
  )
    return isFunction(first) ? [] : [[(node.callee as AnyNode).object as AnyNode, first]];
  const compares = /equal|^(match|is|isDeepStrictEqual|compare|same)$/i.test(name) && second !== undefined;
  return compares && first ? [[first, second]] : [];
}

/** A condition without a comparison, which reads an argument only to check a result. */
function conditionOf(node: AnyNode): AnyNode[] {
  const [condition] = /^(console\.assert|assert(\.strict)?(\.ok)?)$/.test(calleeOf(node))
    ? (node.arguments as AnyNode[])
    : [];
  return condition && !nodesIn(condition).some(part => sidesOf(part).length > 0) ? [condition] : [];
}

interface Binding {
  readonly names: readonly string[];
  readonly value: AnyNode;
  readonly node: AnyNode;
}

function bindingsOf(node: AnyNode): Binding[] {
  const of = (target: unknown, value: unknown): Binding[] =>
    isNode(target) && isNode(value) ? [{ names: namesIn(target), value, node }] : [];
  switch (node.type) {
    case 'VariableDeclarator':
      return of(node.id, node.init);
    case 'AssignmentExpression':
      return of(node.left, node.right);
    case 'ForOfStatement':
    case 'ForInStatement':
      return of(
        ((node.left as AnyNode).declarations as AnyNode[] | undefined)?.[0]?.id ?? node.left,
        node.right,
      );
    case 'CallExpression': {
      const { object } = node.callee as AnyNode;
      return callbacksOf(node).flatMap(({ params }) =>
        (params as AnyNode[]).flatMap(each => of(each, object)),
      );
    }
    default:
      return [];
  }
}

/** `x => …` in `xs.map(x => …)`: it runs where it stands, with parts of the object. */
function callbacksOf(node: AnyNode): AnyNode[] {
  if (
    node.type !== 'CallExpression' ||
    !/^(forEach|map|flatMap|filter|every|some|find\w*|reduce|sort)$/.test(lastOf(node))
  )
    return [];
  return (node.callee as AnyNode).type === 'MemberExpression'
    ? (node.arguments as AnyNode[]).filter(isFunction)
    : [];
}

/** The entry point, and functions of the tests that call it. */
function callersOf(tree: AnyNode, makers: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set(makers);
  const named = nodesIn(tree).flatMap(node => {
    const work = node.type === 'VariableDeclarator' ? node.init : node;
    const isNamed = isNode(work) && isFunction(work) && isNode(node.id);
    return isNamed ? [{ name: String((node.id as AnyNode).name), work }] : [];
  });
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const { name, work } of named)
      if (
        nodesIn(work).some(
          part => part.type === 'Identifier' && part !== work.id && found.has(String(part.name)),
        )
      )
        found.add(name);
  }
  return found;
}

/** A scope's nodes, and the functions in it that have a scope of their own. */
function scopeOf(scope: AnyNode): { readonly nodes: AnyNode[]; readonly inner: AnyNode[] } {
  const [nodes, inner]: [AnyNode[], AnyNode[]] = [[], []];
  const add = (node: AnyNode): void => {
    nodes.push(node);
    const callbacks = callbacksOf(node);
    for (const next of childrenOf(node))
      if (!isFunction(next) || callbacks.includes(next)) add(next);
      else inner.push(next);
  };
  add(scope);
  return { nodes, inner };
}

/** The last name of what is called: `push` for `stack.push(…)`. */
function lastOf(node: AnyNode): string {
  const callee = node.callee as AnyNode;
  return callee.type === 'MemberExpression' ? (keyOf(callee) ?? '') : String(callee.name ?? '');
}

/** The parts of an expression, without the names of functions and classes that it calls. */
function valuesIn(node: AnyNode): AnyNode[] {
  return childrenOf(node).filter(part => part !== node.callee || part.type !== 'Identifier');
}

function isFunction({ type }: AnyNode): boolean {
  return /Function/.test(type);
}

function overlap(one: Path, other: Path): boolean {
  return one.every((part, at) => other[at] === undefined || other[at] === part);
}

function isIn(node: AnyNode, outer: AnyNode): boolean {
  return outer.start <= node.start && node.end <= outer.end;
}

function binds(loop: AnyNode, name: string): boolean {
  return nodesIn(loop)
    .flatMap(bindingsOf)
    .some(({ names }) => names.includes(name));
}
