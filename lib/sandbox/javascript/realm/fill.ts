import { ACCESSOR, CONFIGURABLE, ENUMERABLE, EXTENSIBLE, FROZEN, MARK, WRITABLE } from './atoms.ts';
import type { BinaryType, ErrorType, Intrinsics, Kind } from './intrinsics.ts';
import { broken, MAX_VALUES } from './wire.ts';

/** Fills an object that mirrors another with that object's parts. */

/** A property about to be defined. */
export type Property = PropertyDescriptor & { readonly key: string | symbol };

/** An empty object of a kind; functions, promises and iterators are created elsewhere. */
export function newShell(kind: Kind, head: readonly unknown[], intrinsics: Intrinsics): object {
  switch (kind) {
    case 'object':
      return intrinsics.newObject();
    case 'array':
      return intrinsics.newArray();
    case 'map':
      return intrinsics.newMap();
    case 'set':
      return intrinsics.newSet();
    case 'date':
      return intrinsics.newDate(0);
    case 'regexp':
      return intrinsics.newRegExp(String(head[0]), String(head[1]));
    case 'boxed':
      return intrinsics.newBoxed(head[0] as string);
    case 'ArrayBuffer':
      if (Number(head[0]) > MAX_VALUES) throw broken();
      return intrinsics.newBuffer(Number(head[0]));
    default:
      if (Object.hasOwn(intrinsics.errorTypes, kind)) return intrinsics.newError(kind as ErrorType, '');
      if (!Object.hasOwn(intrinsics.binaryTypes, kind) || typeof head[0] !== 'object') throw broken();
      return intrinsics.newView(
        kind as Exclude<BinaryType, 'ArrayBuffer'>,
        head[0] as ArrayBuffer,
        Number(head[1]),
        Number(head[2]),
      );
  }
}

/** Replaces an object's contents. `adapt` may replace a property; null keeps the existing one. */
export function fill(
  object: object,
  kind: Kind,
  parts: readonly unknown[],
  adapt: (property: Property) => Property | null,
): void {
  const [prototype, state] = parts;
  const contents = parts.indexOf(MARK, kind === 'array' ? 3 + Number(parts[2]) : 2);
  if (contents < 0) throw broken();
  if (Object.isFrozen(object) && state === FROZEN) return;
  fillContents(object, kind, parts.slice(2, contents));
  const properties = propertiesIn(parts.slice(contents + 1));
  const wanted = new Set<string | symbol>(properties.map(({ key }) => key));
  for (const key of Reflect.ownKeys(object)) {
    if (!wanted.has(key) && !isBuiltIn(kind, key)) Reflect.deleteProperty(object, key);
  }
  for (const property of properties) {
    const adapted = adapt(property);
    if (adapted === null) continue;
    const { key, ...descriptor } = adapted;
    if (kind === 'function' && key === 'prototype') Reflect.set(object, key, descriptor.value);
    else if (!Reflect.defineProperty(object, key, descriptor) && !isSame(object, key, descriptor))
      throw broken();
  }
  if (
    Object.getPrototypeOf(object) !== prototype &&
    !Reflect.setPrototypeOf(object, prototype as object | null)
  )
    throw broken();
  if (state === FROZEN) Object.freeze(object);
  else if (state !== EXTENSIBLE) Object.preventExtensions(object);
}

function fillContents(object: object, kind: Kind, contents: readonly unknown[]): void {
  switch (kind) {
    case 'array': {
      const array = object as unknown[];
      const [length, ...items] = contents;
      if (!Number.isSafeInteger(length) || items.length !== length) throw broken();
      for (let i = array.length - 1; i >= items.length; i--) Reflect.deleteProperty(array, i);
      array.length = items.length;
      items.forEach((item, i) => {
        if (item === MARK) Reflect.deleteProperty(array, i);
        else if (!(i in array) || !Object.is(array[i], item))
          Object.defineProperty(array, i, {
            value: item,
            writable: true,
            enumerable: true,
            configurable: true,
          });
      });
      break;
    }
    case 'map':
      mapClear.call(object as Map<unknown, unknown>);
      for (let i = 0; i + 1 < contents.length; i += 2)
        mapSet.call(object as Map<unknown, unknown>, contents[i], contents[i + 1]);
      break;
    case 'set':
      setClear.call(object as Set<unknown>);
      for (const item of contents) setAdd.call(object as Set<unknown>, item);
      break;
    case 'date':
      dateSet.call(object as Date, Number(contents[0]));
      break;
    case 'regexp':
      (object as RegExp).lastIndex = Number(contents[0]);
      break;
    case 'ArrayBuffer': {
      const bytes = new Uint8Array(object as ArrayBuffer);
      const hex = String(contents[0]);
      for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
      break;
    }
    default:
      break;
  }
}

const mapClear = Map.prototype.clear;
const mapSet = Map.prototype.set;
const setClear = Set.prototype.clear;
const setAdd = Set.prototype.add;
const dateSet = Date.prototype.setTime;

function propertiesIn(parts: readonly unknown[]): Property[] {
  const found: Property[] = [];
  for (let i = 0; i < parts.length; ) {
    const key = parts[i] as string | symbol;
    const attributes = parts[i + 1];
    if ((typeof key !== 'string' && typeof key !== 'symbol') || typeof attributes !== 'number')
      throw broken();
    const common = {
      key,
      enumerable: (attributes & ENUMERABLE) !== 0,
      configurable: (attributes & CONFIGURABLE) !== 0,
    };
    if (attributes & ACCESSOR) {
      found.push({
        ...common,
        get: parts[i + 2] as () => unknown,
        set: parts[i + 3] as (value: unknown) => void,
      });
      i += 4;
    } else {
      found.push({ ...common, value: parts[i + 2], writable: (attributes & WRITABLE) !== 0 });
      i += 3;
    }
  }
  return found;
}

/** Properties that a kind has by default and that are not part of a row. */
function isBuiltIn(kind: Kind, key: string | symbol): boolean {
  if (kind === 'function')
    return ['length', 'name', 'prototype', 'arguments', 'caller'].includes(String(key));
  if (kind === 'regexp') return key === 'lastIndex';
  if (kind.endsWith('Error')) return key === 'stack';
  return kind !== 'object' && typeof key === 'string' && (key === 'length' || /^\d+$/.test(key));
}

function isSame(object: object, key: string | symbol, { value, get }: PropertyDescriptor): boolean {
  const found = Object.getOwnPropertyDescriptor(object, key);
  return found !== undefined && Object.is(found.value, value) && found.get === get;
}
