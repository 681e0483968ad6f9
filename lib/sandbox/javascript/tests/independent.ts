import { RECORDER } from '../host/recorder-name.ts';
import { type AnyNode, calleeOf, childrenOf, type Insertion, isNode, keyOf, nodesIn } from './syntax-tree.ts';
import { namesIn } from './tests-names.ts';

/**
 * Why the tests compare results of the candidate only with what it makes too, as in `f(f(x)) === f(x)`; undefined if they
 * do not. Such tests do not decide alone, so two processes prove nothing.
 *
 * Arguments are copies: what a candidate does to them changes nothing in the judge. Where the tests use an argument again
 * after the call, they may want to see changes. If they only compare it with values of their own, or hand it over again,
 * and have no other name for it, changes come back: it goes through `shared` of the recorder. Otherwise it goes through
 * `handed`, and the tests are judged in one process if it is an object.
 */
export function dependentComparison(
  tree: AnyNode,
  entries: ReadonlySet<string>,
  insertions: Insertion[],
): string | undefined {
  const callers = callersOf(tree, entries);
  const scopes = scopesIn(tree, callers, undefined);
  const line = scopes.flatMap(scope => scope.dependent())[0];
  if (line !== undefined) return `compare results with results in line ${line}`;
  for (const { node, isShared } of usedAgain(tree, scopes, entries)) {
    const { start, end } = node;
    const name = isShared ? 'shared' : 'handed';
    insertions.push({ at: start, text: `${RECORDER}.${name}((` }, { at: end, text: '))', closes: start });
  }
  return undefined;
}

/** `case`, `0` for `case[0]`: the name of a variable and of its parts; `*` for those that are not written down. */
type Path = readonly string[];

/** The names of a function or of the program. */
interface Scope {
  readonly root: AnyNode;
  readonly outer: Scope | undefined;
  readonly nodes: readonly AnyNode[];
  /** Names of what the candidate makes. */
  readonly results: ReadonlySet<string>;
  /** Names that belong to it. */
  readonly bound: ReadonlySet<string>;
  readonly bindings: readonly Binding[];
  /** Calls that hand over arguments to the candidate. */
  readonly handing: readonly AnyNode[];
  isMade(node: AnyNode): boolean;
  /** Lines of comparisons whose sides the candidate makes, all of them. */
  dependent(): number[];
  /** The same value's path from a name that no other is bound to. */
  resolved(path: Path): Path;
}

function scopesIn(root: AnyNode, callers: ReadonlySet<string>, outer: Scope | undefined): Scope[] {
  const { nodes, inner } = scopeOf(root);
  const scope = readScope(root, nodes, callers, outer);
  return [scope, ...inner.flatMap(one => scopesIn(one, callers, scope))];
}

function readScope(
  root: AnyNode,
  nodes: readonly AnyNode[],
  callers: ReadonlySet<string>,
  outer: Scope | undefined,
): Scope {
  const results = new Set(outer?.results);
  const bindings = nodes.flatMap(bindingsOf);
  const isCall = (node: AnyNode): boolean =>
    /^(Call|New)Expression$/.test(node.type) && callers.has(lastOf(node));
  const isMade = (node: AnyNode): boolean =>
    nodesIn(node).some(
      part =>
        isCall(part) ||
        (part.type === 'Identifier' && (results.has(String(part.name)) || callers.has(String(part.name)))),
    );
  const same = new Map<string, Path>();
  for (const { names, value, node, isPart } of bindings) {
    const path = pathOf(value);
    const isOnly = (name: string) => bindings.filter(other => other.names.includes(name)).length === 1;
    for (const name of path ? names.filter(isOnly) : [])
      if (path && path[0] !== name)
        same.set(name, isPart || node.type !== 'VariableDeclarator' ? [...path, '*'] : path);
  }
  for (let before = -1; before < results.size; ) {
    before = results.size;
    for (const { names, value } of bindings) if (isMade(value)) for (const name of names) results.add(name);
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
    root,
    outer,
    nodes,
    results,
    bound: new Set(nodes.flatMap(declaredBy).concat(paramsOf(root).flatMap(namesIn))),
    bindings,
    handing: nodes.filter(
      node =>
        isCall(node) ||
        (node.type === 'CallExpression' &&
          (node.arguments as AnyNode[]).some(
            ({ type, name }) => type === 'Identifier' && callers.has(String(name)),
          )),
    ),
    isMade,
    dependent: () =>
      nodes.flatMap(sidesOf).flatMap(sides => (sides.every(isMade) ? [sides[0]?.loc?.start.line ?? 1] : [])),
    resolved(path) {
      let found = path;
      for (let i = 0; i < same.size; i++) {
        const [name = '', ...parts] = found;
        const source = same.get(name);
        if (!source) break;
        found = [...source, ...parts];
      }
      return found;
    },
  };
}

/** The arguments that the tests use again, and whether they see changes in them. */
function usedAgain(
  tree: AnyNode,
  scopes: readonly Scope[],
  entries: ReadonlySet<string>,
): { readonly node: AnyNode; readonly isShared: boolean }[] {
  const all = nodesIn(tree);
  const loops = all.filter(node => /^(For|While|DoWhile)/.test(node.type) || callbacksOf(node).length > 0);
  const blocks = all.filter(({ type }) => type === 'BlockStatement' || type === 'Program');
  const statements = all.filter(
    ({ type }) => /Statement$|Declaration$/.test(type) && type !== 'BlockStatement',
  );
  const mentions = namesReadIn(tree);
  const targets = new Set(all.flatMap(targetsOf).flatMap(target => nodesIn(target)));
  const reads = scopes.flatMap(scope => {
    const paths = scope.nodes.flatMap(node => {
      const path = targets.has(node) && node.type === 'Identifier' ? undefined : pathOf(node);
      return path ? [{ scope, node, path }] : [];
    });
    const inner = new Set(paths.map(({ node }) => node.object));
    return paths.filter(({ node }) => !inner.has(node));
  });
  const isEntry = (call: AnyNode): boolean => entries.has(lastOf(call));
  const innermost = (nodes: readonly AnyNode[], node: AnyNode): AnyNode =>
    nodes.filter(outer => isIn(node, outer)).at(-1) ?? tree;

  const isUsedAgain = (scope: Scope, call: AnyNode, path: Path): boolean => {
    const [name = ''] = path;
    const whole = scope.resolved(path);
    const home = homeOf(scope, whole[0] ?? '');
    if (!home.bound.has(whole[0] ?? '')) return false;
    const repeats = (loop: AnyNode): boolean => isIn(scope.root, loop) && !binds(loop, whole[0] ?? '');
    if (home !== scope && (mentions(scope.root) || loops.some(repeats))) return true;
    const statement = innermost(statements, call);
    const stores = scope.bindings.filter(({ names }) => names.includes(name));
    return reads.some(read => {
      const target = read.scope.resolved(read.path);
      if ((call.arguments as AnyNode[]).some(arg => isIn(read.node, arg))) return false;
      if (homeOf(read.scope, target[0] ?? '') !== home || !overlap(whole, target)) return false;
      if (read.scope !== scope) return true;
      if (read.node.start < statement.start)
        return loops.some(loop => isIn(call, loop) && isIn(read.node, loop) && !binds(loop, name));
      const isKilled = ({ node }: Binding): boolean =>
        statement.end <= node.start &&
        node.end <= read.node.start &&
        isIn(read.node, innermost(blocks, node));
      return read.path[0] !== name || !stores.some(isKilled);
    });
  };

  /** Whether the tests make a value themselves, have one name for it, and only hand it over and compare it. */
  const isPrivate = (scope: Scope, name: string): boolean => {
    const made = scope.bindings.filter(({ names }) => names.includes(name));
    if (!scope.bound.has(name) || made.length === 0) return false;
    if (made.some(({ names, value, isPart }) => isPart || names.length > 1 || !isNew(value))) return false;
    const handed = new Set(
      scope.handing
        .flatMap(({ arguments: args }) => (args as AnyNode[]).flatMap(pathsIn))
        .map(([first]) => first),
    );
    const safe = new Set<AnyNode>();
    for (const call of scope.handing.filter(isEntry))
      for (const arg of call.arguments as AnyNode[]) safe.add(arg);
    for (const part of scope.nodes.flatMap(checkedParts)) {
      const parts = nodesIn(part);
      const names = parts.flatMap(node => (node.type === 'Identifier' ? [String(node.name)] : []));
      const calls = parts.flatMap(({ type, callee }) =>
        /^(Call|New)Expression$/.test(type) && isNode(callee) && callee.type === 'Identifier'
          ? [String(callee.name)]
          : [],
      );
      const isAlone = names.every(other => other === name || !handed.has(other));
      if (isAlone && !scope.isMade(part) && calls.every(one => reading.test(one)))
        for (const node of parts) safe.add(node);
    }
    const ofName = reads.filter(
      ({ path, scope: other }) => path[0] === name && homeOf(other, name) === scope,
    );
    return ofName.every(({ node, scope: other }) => other === scope && safe.has(node));
  };

  return scopes.flatMap(scope =>
    scope.handing.flatMap(call =>
      (call.arguments as AnyNode[])
        .filter(arg => pathsIn(arg).some(path => isUsedAgain(scope, call, path)))
        .map(arg => {
          const node = arg.type === 'SpreadElement' ? (arg.argument as AnyNode) : arg;
          const isShared = arg.type === 'Identifier' && isEntry(call) && isPrivate(scope, String(arg.name));
          return { node, isShared };
        }),
    ),
  );
}

/** What makes a new value of its arguments. */
const fresh = /^(structuredClone|JSON\.(parse|stringify)|String|Number|Math\.\w+)$/;
/** Names of functions that keep nothing that they are given. */
const reading =
  /^(Array|BigInt|Boolean|Date|JSON|Map|Math|Number|Object|RegExp|Set|String|isNaN|structuredClone|undefined|\w+Array)$/;

/** Whether an expression makes a value of literals alone. */
function isNew(value: AnyNode): boolean {
  const parts = nodesIn(value);
  const local = new Set(parts.filter(isFunction).flatMap(work => paramsOf(work).flatMap(namesIn)));
  return parts.every(
    ({ type, name }) => type !== 'Identifier' || reading.test(String(name)) || local.has(String(name)),
  );
}

/** What an assertion checks on its own. */
function checkedParts(node: AnyNode): AnyNode[] {
  if (!/^(console\.assert|assert(\.\w+)*|(not)?(deep)?(strict)?equal|ok)$/i.test(calleeOf(node))) return [];
  const [first, second] = node.arguments as AnyNode[];
  const both = (part: AnyNode): AnyNode[] =>
    part.type === 'LogicalExpression' && part.operator === '&&'
      ? [part.left, part.right].flatMap(one => both(one as AnyNode))
      : [part];
  return second && !/assert$|ok$/.test(calleeOf(node)) ? [node] : first ? both(first) : [];
}

function pathOf(node: AnyNode): Path | undefined {
  if (node.type === 'Identifier') return [String(node.name)];
  if (node.type !== 'MemberExpression') return undefined;
  const path = pathOf(node.object as AnyNode);
  const key = keyOf(node) ?? '*';
  // `xs.length` and `xs.map` read all of a list.
  return path && [...path, ofLists.test(key) ? '*' : key];
}

const ofLists =
  /^(length|size|at|concat|every|filter|find\w*|flat\w*|forEach|includes|indexOf|join|keys|map|reduce\w*|reverse|slice|some|sort|to\w+|values|entries|get|has|push|pop|shift|unshift|splice|fill|add|set|delete|clear)$/;

/** The names, and parts of them, that an expression reads; not what a call makes a new value of. */
function pathsIn(node: AnyNode): Path[] {
  const path = pathOf(node);
  if (path) return [path];
  return fresh.test(calleeOf(node)) ? [] : valuesIn(node).flatMap(pathsIn);
}

function homeOf(scope: Scope, name: string): Scope {
  let found = scope;
  while (found.outer && !found.bound.has(name)) found = found.outer;
  return found;
}

function paramsOf(work: AnyNode): AnyNode[] {
  return isFunction(work) ? (work.params as AnyNode[]) : [];
}

/** Names that a node declares in its function. */
function declaredBy(node: AnyNode): string[] {
  if (node.type === 'VariableDeclarator') return namesIn(node.id as AnyNode);
  if (node.type === 'CatchClause' && isNode(node.param)) return namesIn(node.param);
  return callbacksOf(node).flatMap(work => paramsOf(work).flatMap(namesIn));
}

/** What a node binds. */
function targetsOf(node: AnyNode): AnyNode[] {
  const { type, id, left, param } = node;
  const found = type === 'AssignmentExpression' ? [left] : type === 'CatchClause' ? [param] : [id];
  return [...found.filter(isNode), ...paramsOf(node)];
}

/** Tells whether a function's name is used. */
function namesReadIn(tree: AnyNode): (work: AnyNode) => boolean {
  const nodes = nodesIn(tree);
  const names = (work: AnyNode): string[] => [
    ...(isNode(work.id) ? namesIn(work.id) : []),
    ...nodes.flatMap(({ type, id, init }) =>
      type === 'VariableDeclarator' && init === work ? namesIn(id as AnyNode) : [],
    ),
  ];
  const targets = new Set(nodes.flatMap(targetsOf));
  return work =>
    isFunction(work) &&
    names(work).some(name =>
      nodes.some(node => node.type === 'Identifier' && node.name === name && !targets.has(node)),
    );
}

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

interface Binding {
  readonly names: readonly string[];
  readonly value: AnyNode;
  readonly node: AnyNode;
  /** Whether the names are bound to parts of the value. */
  readonly isPart: boolean;
}

function bindingsOf(node: AnyNode): Binding[] {
  const of = (target: unknown, value: unknown): Binding[] =>
    isNode(target) && isNode(value)
      ? [{ names: namesIn(target), value, node, isPart: target.type !== 'Identifier' }]
      : [];
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
