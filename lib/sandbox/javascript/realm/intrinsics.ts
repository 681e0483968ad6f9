import { collectBuiltins } from './builtins.ts';
import { instancePrototypes } from './instance-prototypes.ts';

/**
 * The builtins that a realm creates its values with. The candidate's isolate runs this module in the
 * candidate's realm, before the candidate, so that values have that realm's prototypes; the judge imports it
 * directly. Builtins are looked up once, here, so that later patches have no effect.
 */
const own = {
  Array,
  Date,
  Error,
  Map,
  Object,
  Promise,
  RegExp,
  Set,
  Symbol,
  ArrayBuffer,
  TypeError,
  Reflect,
};

export const builtins = collectBuiltins();

export const errorTypes = {
  Error,
  AggregateError,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
  ...recent<ErrorConstructor, 'SuppressedError'>('SuppressedError'),
} as const;
export type ErrorType = keyof typeof errorTypes;

export const binaryTypes = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  ...recent<Float32ArrayConstructor, 'Float16Array'>('Float16Array'),
  BigInt64Array,
  BigUint64Array,
  DataView,
  ArrayBuffer,
} as const;
export type BinaryType = keyof typeof binaryTypes;

export type Kind =
  | 'object'
  | 'function'
  | 'array'
  | 'map'
  | 'set'
  | 'date'
  | 'regexp'
  | 'boxed'
  | 'promise'
  | 'iterator'
  | 'async iterator'
  | 'uncopyable'
  | ErrorType
  | BinaryType;

const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
const generatorPrototype = Object.getPrototypeOf(Object.getPrototypeOf((function* () {})()));
const asyncIteratorPrototype = Object.getPrototypeOf(
  Object.getPrototypeOf(Object.getPrototypeOf((async function* () {})())),
);

/** A type that only newer versions of V8 have; elsewhere no value has it. */
function recent<Type, Name extends string>(name: Name): Record<Name, Type> {
  const type: unknown = Reflect.get(globalThis, name);
  return (type === undefined ? {} : { [name]: type }) as Record<Name, Type>;
}

/**
 * Types whose instances are used through their methods only: they cross as objects with functions. What else the
 * language has, now or in a newer V8, and is not known here is refused: its data could not be copied.
 */
const services = ['Intl', 'DisposableStack', 'AsyncDisposableStack'];

const known: readonly (readonly [object, Kind])[] = [
  [Object.prototype, 'object'],
  [Array.prototype, 'array'],
  [Map.prototype, 'map'],
  [Set.prototype, 'set'],
  [Date.prototype, 'date'],
  [RegExp.prototype, 'regexp'],
  [String.prototype, 'boxed'],
  [Number.prototype, 'boxed'],
  [Boolean.prototype, 'boxed'],
  [BigInt.prototype, 'boxed'],
  [Promise.prototype, 'promise'],
  [iteratorPrototype, 'iterator'],
  [asyncIteratorPrototype, 'async iterator'],
  ...entries(errorTypes),
  ...entries(binaryTypes),
];

/** Kinds of objects by the original prototypes of the realm, of those that have these global names. */
export function prototypesOf(
  names: readonly string[] = Object.getOwnPropertyNames(globalThis),
): readonly (readonly [object, Kind])[] {
  return [
    ...instancePrototypes(names, services).map(prototype => [prototype, 'uncopyable'] as const),
    // Of a prototype that is listed twice, this counts.
    ...known,
  ];
}

function entries<Name extends Kind>(types: Record<Name, { readonly prototype: object }>): [object, Name][] {
  return (Object.keys(types) as Name[]).map(name => [types[name].prototype, name]);
}

export const newArray = (): unknown[] => [];
export const newObject = (): object => ({});
export const newMap = (): Map<unknown, unknown> => new own.Map();
export const newSet = (): Set<unknown> => new own.Set();
export const newDate = (time: number): Date => new own.Date(time);
export const newRegExp = (source: string, flags: string): RegExp => new own.RegExp(source, flags);
export const newBoxed = (value: string | number | boolean | bigint): object => own.Object(value);
export const newBuffer = (bytes: number): ArrayBuffer => new own.ArrayBuffer(bytes);
export const newTypeError = (message: string): TypeError => new own.TypeError(message);

export function newError(type: ErrorType, message: string): Error {
  if (type === 'AggregateError') return new errorTypes.AggregateError([], message);
  if (type === 'SuppressedError') return own.Object.assign(new errorTypes.SuppressedError(), { message });
  return new (errorTypes[type] as ErrorConstructor)(message);
}

export function newView(
  type: Exclude<BinaryType, 'ArrayBuffer'>,
  buffer: ArrayBuffer,
  offset: number,
  length: number,
): ArrayBufferView {
  return new (binaryTypes[type] as typeof Uint8Array)(buffer, offset, length);
}

export function newPromise(): {
  promise: Promise<unknown>;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
} {
  let settle: { resolve(value: unknown): void; reject(reason: unknown): void } | undefined;
  const promise = new own.Promise((resolve, reject) => {
    settle = { resolve, reject };
  });
  if (!settle) throw new own.Error('A promise did not start.');
  return { promise, ...settle };
}

const { then: promiseThen } = own.Promise.prototype;
const { apply } = own.Reflect;

export function watchPromise(
  promise: Promise<unknown>,
  kept: (value: unknown) => void,
  broken: (reason: unknown) => void,
): void {
  apply(promiseThen, promise, [kept, broken]);
}

/**
 * Calls a function of another realm from this one. V8 allows `new Function` and similar only in the realm
 * that was entered last.
 */
export const runHere = (work: (text: string) => unknown, text: string): unknown => work(text);

/** A stand-in for a function of the other side; `new` works on it if it does there. */
export function newStandIn(
  call: (self: unknown, args: unknown[], target: object | undefined) => unknown,
  name: string,
  length: number,
  constructs: boolean,
): (...args: unknown[]) => unknown {
  const standIn = constructs
    ? function (this: unknown, ...args: unknown[]): unknown {
        return call(new.target ? undefined : this, args, new.target);
      }
    : {
        method(this: unknown, ...args: unknown[]): unknown {
          return call(this, args, undefined);
        },
      }.method;
  own.Object.defineProperty(standIn, 'name', { value: name, configurable: true });
  own.Object.defineProperty(standIn, 'length', { value: length, configurable: true });
  return standIn;
}

/** A stand-in has a source text of its own, which is not what a program asks for. */
export function hideSources(isTheirs: (value: unknown) => boolean, refuse: () => never): void {
  const { toString: source } = Function.prototype;
  const guarded = {
    toString(this: unknown): string {
      if (isTheirs(this)) refuse();
      return apply(source, this, []);
    },
  };
  own.Object.defineProperty(Function.prototype, 'toString', { value: guarded.toString });
}

const { add: addToSet, has: isInSet } = WeakSet.prototype;
const proxies = new WeakSet<object>();
const RealProxy = Proxy;

/** Whether an object is a proxy that was created in this realm after `trackProxies`. */
export const isProxy = (object: object): boolean => apply(isInSet, proxies, [object]);

/** The language cannot detect proxies, so their constructor is replaced by one that records them. */
export function trackProxies(): void {
  const track = <T extends object>(proxy: T): T => {
    apply(addToSet, proxies, [proxy]);
    return proxy;
  };
  function TrackedProxy(target: object, handler: ProxyHandler<object>): object {
    if (!new.target) throw new own.TypeError("Constructor Proxy requires 'new'");
    return track(new RealProxy(target, handler));
  }
  own.Object.defineProperty(TrackedProxy, 'name', { value: 'Proxy', configurable: true });
  TrackedProxy.prototype = undefined;
  TrackedProxy.revocable = (target: object, handler: ProxyHandler<object>) => {
    const made = RealProxy.revocable(target, handler);
    track(made.proxy);
    return made;
  };
  own.Object.defineProperty(globalThis, 'Proxy', { value: TrackedProxy, writable: true, configurable: true });
}

const { random } = Math;
const { now } = Date;

/** Replaces something of this realm with what the tests have put there in theirs; undefined restores it. */
export function patch(path: string, value: unknown): void {
  if (path === 'Math.random') Math.random = (value as typeof random | undefined) ?? random;
  else if (path === 'Date.now') Date.now = (value as typeof now | undefined) ?? now;
  else if (path === 'process.env') Reflect.set(Reflect.get(globalThis, 'process'), 'env', value);
}

/** This realm's global object: `this` in a plain call of a sloppy-mode function. */
export const isGlobal = (value: unknown): boolean => value === globalObject;
const globalObject = globalThis;

/** An iterator whose steps run on the other side. */
export function newIterator(
  step: (method: 'next' | 'return' | 'throw', args: unknown[]) => unknown,
  isAsync: boolean,
  isGenerator: boolean,
): object {
  const prototype = isAsync ? asyncIteratorPrototype : isGenerator ? generatorPrototype : iteratorPrototype;
  const iterator = own.Object.create(prototype) as object;
  for (const method of ['next', 'return', 'throw'] as const) {
    own.Object.defineProperty(iterator, method, { value: (...args: unknown[]) => step(method, args) });
  }
  return iterator;
}

type Realm = typeof import('./intrinsics.ts');

export interface Intrinsics extends Realm {
  readonly prototypes: ReturnType<typeof prototypesOf>;
}
