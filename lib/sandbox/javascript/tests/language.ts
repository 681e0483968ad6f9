import { type AnyNode, calleeOf, isNode, keyOf, nodesIn, requiredBy } from './syntax-tree.ts';
import { namesIn } from './tests-names.ts';

/**
 * The part of JavaScript and of Node that tests may use where the judge itself runs them; anything else is judged in one
 * process. A result of the candidate must not become code or choose a function, however the tests pass it on. So
 * these lists say what is allowed, not what is forbidden. Modules are in code-from-text.ts.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Global names: values without access to the process, and the few functions of it that are listed below. */
const globals = words(
  `AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError Float16Array
   Float32Array Float64Array Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise
   RangeError ReferenceError Reflect RegExp Set String SuppressedError Symbol SyntaxError TypeError URIError Uint16Array
   Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape
   isFinite isNaN parseFloat parseInt undefined unescape AbortController AbortSignal Buffer DOMException Event EventTarget
   TextDecoder TextEncoder URL URLSearchParams atob btoa clearImmediate clearInterval clearTimeout console crypto performance
   queueMicrotask setImmediate setInterval setTimeout structuredClone global globalThis process require module exports
   __filename __dirname arguments describe it test suite before after beforeEach afterEach beforeAll afterAll assert`,
);

/** Members of global objects of which not all are allowed. */
const members: Readonly<Record<string, ReadonlySet<string>>> = {
  process: words(
    `exit exitCode on once off nextTick platform version versions uptime cwd pid arch release title emitWarning
     removeListener removeAllListeners listeners listenerCount`,
  ),
  Reflect: words('ownKeys has getOwnPropertyDescriptor getPrototypeOf isExtensible'),
  global: globals,
  globalThis: globals,
};

interface Names {
  isGlobal(name: string): boolean;
  isResult(node: unknown): boolean;
  /** Bound to what node:test exports. */
  readonly runners: ReadonlySet<string>;
  /** Bound to a member that a value names: `const check = checks[kind]`. */
  readonly chosen: ReadonlySet<string>;
}

/** The names of `Names` that tests bind. */
export function boundNames(nodes: readonly AnyNode[]): Pick<Names, 'runners' | 'chosen'> {
  const bound = (isIt: (value: AnyNode) => boolean): ReadonlySet<string> =>
    new Set(
      nodes
        .filter(({ type, init }) => type === 'VariableDeclarator' && isNode(init) && isIt(init))
        .flatMap(({ id }) => namesIn(id as AnyNode)),
    );
  return {
    runners: bound(value => nodesIn(value).some(node => requiredBy(node) === 'node:test')),
    chosen: bound(value => value.type === 'MemberExpression' && keyOf(value) === undefined),
  };
}

/** What a node uses that is not on the lists. */
export function beyondLanguage(
  node: AnyNode,
  parent: AnyNode | undefined,
  { isGlobal, isResult, runners, chosen }: Names,
): string | undefined {
  switch (node.type) {
    case 'WithStatement':
      return 'use with';
    case 'Identifier': {
      const name = String(node.name);
      if (!isGlobal(name)) return undefined;
      if (!globals.has(name)) return `use ${name}`;
      const isBase = parent?.type === 'MemberExpression' && parent.object === node;
      return name in members && !isBase && !isChecked(parent) ? `hand on ${name}` : undefined;
    }
    case 'MemberExpression':
      return ofMember(node, parent, isGlobal);
    case 'Property':
      if (keyOf(node) === '__proto__' && !isNull(node.value)) return 'use __proto__';
      return parent?.type === 'ObjectPattern' && keyOf(node) === undefined
        ? 'choose a member as they run'
        : undefined;
    case 'CallExpression':
    case 'NewExpression':
      return ofCall(node, { isResult, runners, chosen });
    default:
      return undefined;
  }
}

function ofMember(
  node: AnyNode,
  parent: AnyNode | undefined,
  isGlobal: (name: string) => boolean,
): string | undefined {
  const key = keyOf(node);
  const object = node.object as AnyNode;
  const base = object.type === 'Identifier' ? String(object.name) : '';
  if (isGlobal(base) && key === undefined && base !== 'arguments')
    return `choose a member of ${base} as they run`;
  const listed = Object.hasOwn(members, base) && isGlobal(base) ? members[base] : undefined;
  if (key !== undefined && listed && !listed.has(key) && (listed !== globals || isGlobal(key)))
    return `use ${base}.${key}`;
  if (key !== undefined && /^__\w+__$/.test(key)) return `use ${key}`;
  // A change of it in the judge fails the candidate.
  if (key === 'prototype' && isGlobal(base) && parent?.type !== 'MemberExpression' && !isChecked(parent))
    return `hand on ${base}.prototype`;
  return undefined;
}

function ofCall(
  node: AnyNode,
  { isResult, runners, chosen }: Pick<Names, 'isResult' | 'runners' | 'chosen'>,
): string | undefined {
  const callee = node.callee as AnyNode;
  const args = node.arguments as AnyNode[];
  if (callee.type === 'MemberExpression' && keyOf(callee) === undefined)
    return 'choose a function as they run';
  const name = calleeOf(node);
  if (chosen.has(name)) return 'choose a function as they run';
  if (/^assert\b/.test(name) && args.some(arg => arg.type === 'SpreadElement' && isResult(arg.argument)))
    return 'use a result as the arguments of an assertion';
  const isRunner = /(^|\.)(test|it|describe|suite)(\.(skip|todo|only))?$/.test(name);
  if (!isRunner && !runners.has(name.split('.')[0] ?? '')) return undefined;
  const [first, ...others] = args;
  const isOption = (arg: AnyNode): boolean =>
    arg.type === 'ObjectExpression'
      ? (arg.properties as AnyNode[]).every(isFixed)
      : /Function|^Identifier$/.test(arg.type);
  const isOpen = isResult(first) || !others.every(arg => isOption(arg) && !isResult(arg));
  return isOpen && /Function|^Identifier$/.test(args.at(-1)?.type ?? '')
    ? 'compute the options of a test'
    : undefined;
}

/** Whether a property of the options of a test does not depend on a result. */
function isFixed({ type, value, key }: AnyNode): boolean {
  if (type !== 'Property') return false;
  return (value as AnyNode).type === 'Literal' || !/^(skip|todo|only)$/.test(String((key as AnyNode).name));
}

/** In `x === Object.prototype` and `typeof process`, a value is only looked at. */
function isChecked(parent: AnyNode | undefined): boolean {
  return parent?.type === 'BinaryExpression' || parent?.type === 'UnaryExpression';
}

function isNull(node: unknown): boolean {
  return isNode(node) && node.type === 'Literal' && node.value === null;
}
