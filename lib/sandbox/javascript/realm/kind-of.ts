import type { Kind } from './intrinsics.ts';
import { Refusal } from './wire.ts';

/** `depth` is how many prototypes lie between an object and the builtin one: 0 unless it is a class's instance. */
export function kindOf(object: object, kinds: ReadonlyMap<object, Kind>): { kind: Kind; depth: number } {
  let depth = 0;
  let prototype = Object.getPrototypeOf(object) as object | null;
  while (prototype !== null) {
    const kind = kinds.get(prototype);
    if (kind === 'object' && isIterator(object)) return { kind: 'iterator', depth };
    if (kind !== undefined && isReally(object, kind)) return { kind, depth };
    prototype = Object.getPrototypeOf(prototype) as object | null;
    if (++depth > MAX_PROTOTYPES) throw new Refusal('an object with an endless chain of prototypes');
  }
  return { kind: Array.isArray(object) ? 'array' : 'object', depth: 0 };
}

const MAX_PROTOTYPES = 100;

/** An object made by hand with a builtin's prototype has not its insides. */
function isReally(object: object, kind: Kind): boolean {
  if (kind === 'object') return !Array.isArray(object);
  try {
    if (kind === 'array') return Array.isArray(object);
    if (kind === 'map') mapForEach.call(object as Map<unknown, unknown>, () => {});
    if (kind === 'set') setForEach.call(object as Set<unknown>, () => {});
    if (kind === 'date') dateTime.call(object as Date);
    if (kind === 'regexp') return typeof regexpSource.call(object as RegExp) === 'string';
    if (kind === 'boxed') unbox(object);
    return true;
  } catch {
    return false;
  }
}

function isIterator(object: object): boolean {
  return (
    typeof Reflect.get(object, Symbol.iterator) === 'function' &&
    typeof Reflect.get(object, 'next') === 'function'
  );
}

export function unbox(object: object): string | number | boolean | bigint {
  for (const { prototype } of [String, Number, Boolean, BigInt]) {
    try {
      return (prototype.valueOf as () => string | number | boolean | bigint).call(object);
    } catch {}
  }
  throw new TypeError('Not boxed.');
}

export function methodsOf(object: object, kinds: ReadonlyMap<object, Kind>): string[] {
  const methods = new Set<string>();
  let prototype = Object.getPrototypeOf(object) as object | null;
  while (prototype !== null && !kinds.has(prototype)) {
    for (const key of Object.getOwnPropertyNames(prototype)) if (key !== 'constructor') methods.add(key);
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return [...methods].filter(key => !Object.hasOwn(object, key));
}

export function className(object: object): string {
  const prototype = Object.getPrototypeOf(object) as object | null;
  const maker: unknown = prototype === null ? undefined : Reflect.get(prototype, 'constructor');
  return typeof maker === 'function' ? nameOf(maker) || 'nameless class' : 'nameless class';
}

export function nameOf(value: object): string {
  const name: unknown = Reflect.get(value, 'name');
  return typeof name === 'string' ? name.slice(0, 200) : '';
}

/* Builtins' methods, which work on the objects of any realm. */
export const mapForEach = Map.prototype.forEach;
export const setForEach = Set.prototype.forEach;
export const dateTime = Date.prototype.getTime;
export const regexpSource = getter(RegExp.prototype, 'source');
export const regexpFlags = getter(RegExp.prototype, 'flags');

function getter(prototype: object, key: string): () => unknown {
  const get = Object.getOwnPropertyDescriptor(prototype, key)?.get;
  if (!get) throw new Error(`${key} has no getter.`);
  return get;
}
