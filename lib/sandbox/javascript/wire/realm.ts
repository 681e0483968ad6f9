/**
 * What plain data is made of in one realm. The candidate's isolate runs this module in the candidate's realm, before the
 * candidate; judge and host import it. Builtins are looked up once, here, so that later patches have no effect.
 */
const own = { Array, Date, Error, Map, Object, RegExp, Set, ArrayBuffer, TypeError, Reflect };

const errorTypes: Readonly<Record<string, ErrorConstructor>> = named(
  'Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError',
);
const viewTypes: Readonly<Record<string, Uint8ArrayConstructor>> = named(
  `Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array
   Float64Array BigInt64Array BigUint64Array DataView`,
);

/** Those that this version of V8 has. */
function named<Type>(names: string): Record<string, Type> {
  const entries = names.split(/\s+/).map(name => [name, Reflect.get(globalThis, name)]);
  return Object.fromEntries(entries.filter(([, type]) => type !== undefined));
}

/** How an object is written: see plain-data.ts. */
export type Code = 'a' | 'o' | 'm' | 's' | 'd' | 'r' | 'B' | 't' | 'e' | 'c' | 'f';

/** Prototypes of plain data, with the code of its rows and the name of its type. */
export const prototypes: readonly (readonly [prototype: object, code: Code, name: string])[] = [
  [own.Object.prototype, 'o', 'Object'],
  [own.Array.prototype, 'a', 'Array'],
  [own.Map.prototype, 'm', 'Map'],
  [own.Set.prototype, 's', 'Set'],
  [own.Date.prototype, 'd', 'Date'],
  [own.RegExp.prototype, 'r', 'RegExp'],
  [own.ArrayBuffer.prototype, 'B', 'ArrayBuffer'],
  ...typesOf(viewTypes, 't'),
  ...typesOf(errorTypes, 'e'),
];

function typesOf(types: Record<string, { prototype: object }>, code: Code): [object, Code, string][] {
  return own.Object.entries(types).map(([name, { prototype }]) => [prototype, code, name]);
}

export const newArray = (): unknown[] => [];
export const newObject = (hasPrototype: boolean): object => (hasPrototype ? {} : { __proto__: null });
export const newMap = (): Map<unknown, unknown> => new own.Map();
export const newSet = (): Set<unknown> => new own.Set();
export const newDate = (time: number): Date => new own.Date(time);
export const newRegExp = (source: string, flags: string): RegExp => new own.RegExp(source, flags);
export const newBuffer = (bytes: number): ArrayBuffer => new own.ArrayBuffer(bytes);
export const newFunction = (name: string): object =>
  own.Object.defineProperty(() => {}, 'name', { value: name });

export function newView(name: string, buffer: ArrayBuffer): object | undefined {
  const Type = viewTypes[name];
  return Type && new Type(buffer);
}

const errorPrototypes = new own.Map<string, object>();

/** An error of a builtin type, or of a class that extends one, of which only its names are known. */
export function newError(type: string, className: string, name: string | null): Error | undefined {
  const Type = errorTypes[type];
  if (!Type) return undefined;
  const { stackTraceLimit } = own.Error;
  own.Error.stackTraceLimit = 0;
  const error = newBuiltin(Type, type);
  own.Error.stackTraceLimit = stackTraceLimit;
  if (className === type && name === null) return error;
  const key = `${type} ${className} ${name}`;
  const known = errorPrototypes.get(key) ?? newPrototype(Type.prototype, className, name);
  errorPrototypes.set(key, known);
  return own.Object.setPrototypeOf(error, known);
}

function newBuiltin(Type: ErrorConstructor, type: string): Error {
  const error =
    type === 'AggregateError' ? new (Type as unknown as AggregateErrorConstructor)([]) : new Type();
  for (const key of own.Reflect.ownKeys(error)) if (key !== 'stack') own.Reflect.deleteProperty(error, key);
  return error;
}

/** The prototype of a class that is known by name alone. */
export function newPrototype(parent: object, className: string, name: string | null = null): object {
  const hidden = (value: unknown) => ({ value, writable: true, configurable: true });
  const maker = newFunction(className);
  const prototype = own.Object.create(parent, {
    constructor: hidden(maker),
    ...(name === null ? {} : { name: hidden(name) }),
  });
  own.Object.defineProperty(maker, 'prototype', { value: prototype });
  return prototype;
}

/**
 * Calls a function of another realm from this one. V8 allows `new Function` and similar only in the realm
 * that was entered last.
 */
export const runHere = (work: (text: string) => unknown, text: string): unknown => work(text);

const { add: addToSet, has: isInSet } = WeakSet.prototype;
const proxies = new WeakSet<object>();
const RealProxy = Proxy;
const { apply } = own.Reflect;

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

/** Throws an error of this realm. */
export function fail(type: string, message: string, code: string | number | undefined): never {
  const error = new (errorTypes[type] ?? own.Error)(message);
  if (!errorTypes[type]) own.Object.defineProperty(error, 'name', { value: type });
  throw code === undefined ? error : own.Object.assign(error, { code });
}

export type Realm = typeof import('./realm.ts');
