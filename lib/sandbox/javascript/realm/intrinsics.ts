/**
 * What a realm builds its values with. The candidate's isolate runs this module in the candidate's own realm,
 * before the candidate, so that what it is given has its own prototypes; the judge imports it as it is.
 * Builtins are taken by name here, once: nothing that is patched later is used.
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

export const errorTypes = {
  Error,
  AggregateError,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
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
  BigInt64Array,
  BigUint64Array,
  DataView,
  ArrayBuffer,
} as const;
export type BinaryType = keyof typeof binaryTypes;

export type Kind =
  | 'object'
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
const asyncIteratorPrototype = Object.getPrototypeOf(
  Object.getPrototypeOf(Object.getPrototypeOf((async function* () {})())),
);

/** What an object is, by the prototypes that its own realm began with. */
export const prototypes: readonly (readonly [object, Kind])[] = [
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
  [Symbol.prototype, 'uncopyable'],
  [WeakMap.prototype, 'uncopyable'],
  [WeakSet.prototype, 'uncopyable'],
  [WeakRef.prototype, 'uncopyable'],
  ...entries(errorTypes),
  ...entries(binaryTypes),
];

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
  return new (errorTypes[type] as ErrorConstructor)(message);
}

export function newView(type: Exclude<BinaryType, 'ArrayBuffer'>, buffer: ArrayBuffer): ArrayBufferView {
  return new (binaryTypes[type] as new (buffer: ArrayBuffer) => ArrayBufferView)(buffer);
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
 * Calls a function of another realm from this one. V8 lets `new Function` and the like work only in the realm
 * that was entered last.
 */
export const runHere = (work: (text: string) => unknown, text: string): unknown => work(text);

/** A function that stands for one on the other side; `new` works on it too. */
export function newStandIn(
  call: (args: unknown[], construct: boolean) => unknown,
  name: string,
  length: number,
): (...args: unknown[]) => unknown {
  function standIn(...args: unknown[]): unknown {
    return call(args, new.target !== undefined);
  }
  own.Object.defineProperty(standIn, 'name', { value: name, configurable: true });
  own.Object.defineProperty(standIn, 'length', { value: length, configurable: true });
  return standIn;
}

/** An iterator whose steps are taken on the other side. */
export function newIterator(
  step: (method: 'next' | 'return' | 'throw', args: unknown[]) => unknown,
  isAsync: boolean,
): object {
  const iterator = own.Object.create(isAsync ? asyncIteratorPrototype : iteratorPrototype) as object;
  for (const method of ['next', 'return', 'throw'] as const) {
    own.Object.defineProperty(iterator, method, { value: (...args: unknown[]) => step(method, args) });
  }
  return iterator;
}

/** A property that is there on the other side and cannot come over; reading it tells so. */
export function defineRefused(target: object, key: string, refuse: () => never): void {
  own.Object.defineProperty(target, key, { get: refuse, enumerable: false, configurable: true });
}

export type Intrinsics = typeof import('./intrinsics.ts');
