import type { Handles } from './handles.ts';
import type { ErrorType, Intrinsics, Kind } from './intrinsics.ts';
import {
  className,
  dateTime,
  kindOf,
  mapForEach,
  methodsOf,
  nameOf,
  regexpFlags,
  regexpSource,
  setForEach,
  unbox,
} from './kind-of.ts';
import {
  type Graph,
  MAX_BIGINT_DIGITS,
  MAX_VALUES,
  type Properties,
  Refusal,
  type Row,
  type Slot,
} from './wire.ts';

export interface Encoder {
  /**
   * Describes values and all they reach. `known` are objects that the other side has already, in the order of
   * its table, and `before` how it described them: those that are still the same are sent as null.
   * Throws a Refusal for what cannot be described. Getters and proxies are asked; their answers are data.
   */
  encode(
    values: readonly unknown[],
    known?: readonly object[],
    before?: readonly (Row | null)[],
  ): { graph: Graph; objects: readonly object[] };
}

/** `promised` is told of each promise that is sent, once or more often. */
export function createEncoder(
  intrinsics: Intrinsics,
  handles: Handles,
  promised: (promise: Promise<unknown>, id: number) => void,
): Encoder {
  const kinds = new Map<object, Kind>(intrinsics.prototypes);

  return {
    encode(values, known = [], before = []) {
      const objects: object[] = [];
      const indexes = new Map<object, number>();
      let budget = MAX_VALUES;

      const spend = (count: number): void => {
        budget -= count;
        if (budget < 0) throw new Refusal(`more than ${MAX_VALUES} values at once`);
      };
      const indexOf = (object: object): number => {
        const index = indexes.get(object);
        if (index !== undefined) return index;
        indexes.set(object, objects.length);
        return objects.push(object) - 1;
      };
      const slot = (value: unknown): Slot => {
        spend(1);
        const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
        return isObject ? reference(value) : primitive(value);
      };
      const reference = (value: object): Slot => {
        const home = handles.foreign(value);
        if (typeof value === 'function') {
          if (home !== undefined) return ['your function', home];
          return ['function', handles.give(value), nameOf(value), lengthOf(value)];
        }
        if (kindOf(value, kinds).kind === 'promise') {
          if (home !== undefined) return ['your promise', home];
          const id = handles.give(value);
          promised(value as Promise<unknown>, id);
          return ['promise', id];
        }
        return ['object', indexOf(value)];
      };
      const properties = (object: object, keys: readonly string[]): Properties => {
        spend(keys.length);
        return keys.map(key => [key, slot(Reflect.get(object, key))]);
      };

      for (const object of known) indexOf(object);
      const roots = values.map(slot);
      const rows: (Row | null)[] = [];
      for (let i = 0; i < objects.length; i++) {
        const object = objects[i];
        if (object === undefined) break;
        const row = describe(object, { kinds, slot, properties, spend, handles });
        rows.push(i < before.length && JSON.stringify(row) === JSON.stringify(before[i]) ? null : row);
      }
      return { graph: { roots, rows }, objects };
    },
  };
}

interface Describing {
  readonly kinds: ReadonlyMap<object, Kind>;
  readonly handles: Handles;
  slot(value: unknown): Slot;
  properties(object: object, keys: readonly string[]): Properties;
  spend(count: number): void;
}

function describe(object: object, { kinds, slot, properties, spend, handles }: Describing): Row {
  const { kind, depth } = kindOf(object, kinds);
  switch (kind) {
    case 'array':
      return describeArray(object as unknown[], { slot, properties, spend });
    case 'map': {
      const entries: [Slot, Slot][] = [];
      mapForEach.call(object as Map<unknown, unknown>, (value, key) =>
        entries.push([slot(key), slot(value)]),
      );
      return { kind: 'map', entries };
    }
    case 'set': {
      const items: Slot[] = [];
      setForEach.call(object as Set<unknown>, value => items.push(slot(value)));
      return { kind: 'set', items };
    }
    case 'date':
      return { kind: 'date', time: slot(dateTime.call(object as Date)) };
    case 'regexp': {
      const regexp = object as RegExp;
      return {
        kind: 'regexp',
        source: String(regexpSource.call(regexp)),
        flags: String(regexpFlags.call(regexp)),
        lastIndex: Number(regexp.lastIndex),
      };
    }
    case 'boxed':
      return { kind: 'boxed', value: slot(unbox(object)) };
    case 'iterator':
    case 'async iterator':
      return { kind: 'iterator', id: handles.give(object), isAsync: kind === 'async iterator' };
    case 'uncopyable':
      throw new Refusal(`${article(className(object))}, which is no plain data`);
    case 'ArrayBuffer':
      spend((object as ArrayBuffer).byteLength);
      return { kind: 'buffer', hex: hexOf(new Uint8Array(object as ArrayBuffer)) };
    case 'object':
      return describeObject(object, depth, kinds, properties);
    default:
      if (kind.endsWith('Error')) return describeError(object, kind as ErrorType, properties);
      return describeView(object as ArrayBufferView, kind, spend);
  }
}

function describeArray(
  array: unknown[],
  { slot, properties, spend }: Pick<Describing, 'slot' | 'properties' | 'spend'>,
): Row {
  const { length } = array;
  spend(length);
  const items: Slot[] = [];
  for (let i = 0; i < length; i++) items.push(i in array ? slot(array[i]) : ['hole']);
  const keys = Object.keys(array);
  const named = keys.filter(key => !/^\d+$/.test(key));
  return {
    kind: 'array',
    items,
    ...(named.length > 0 ? { properties: properties(array, named) } : {}),
    ...(length > 0 && Object.isFrozen(array) ? { frozen: true as const } : {}),
  };
}

function describeObject(
  object: object,
  depth: number,
  kinds: ReadonlyMap<object, Kind>,
  properties: Describing['properties'],
): Row {
  const keys = Object.keys(object);
  const methods = depth > 0 ? methodsOf(object, kinds) : [];
  if (typeof Reflect.get(object, Symbol.toPrimitive) === 'function') methods.push('valueOf', 'toString');
  return {
    kind: 'object',
    properties: properties(object, keys),
    ...(Object.getPrototypeOf(object) === null ? { bare: true as const } : {}),
    ...(keys.length > 0 && Object.isFrozen(object) ? { frozen: true as const } : {}),
    ...(depth > 0 ? { className: className(object) } : {}),
    ...(methods.length > 0 ? { methods } : {}),
  };
}

function describeError(object: object, type: ErrorType, properties: Describing['properties']): Row {
  const keys = Object.keys(object).filter(key => !['name', 'message', 'stack'].includes(key));
  return {
    kind: 'error',
    type,
    name: text(Reflect.get(object, 'name')),
    message: text(Reflect.get(object, 'message')),
    properties: properties(object, keys),
  };
}

function describeView(view: ArrayBufferView, type: string, spend: Describing['spend']): Row {
  spend(view.byteLength);
  return { kind: 'view', type, hex: hexOf(new Uint8Array(view.buffer, view.byteOffset, view.byteLength)) };
}

function primitive(value: unknown): Slot {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'undefined':
      return ['undefined'];
    case 'number':
      if (Number.isNaN(value)) return ['number', 'NaN'];
      if (value === Infinity) return ['number', 'Infinity'];
      if (value === -Infinity) return ['number', '-Infinity'];
      return Object.is(value, -0) ? ['number', '-0'] : value;
    case 'bigint': {
      const digits = value.toString(16);
      if (digits.length > MAX_BIGINT_DIGITS) throw new Refusal('a bigint of more than a million bits');
      return ['bigint', digits];
    }
    case 'symbol':
      throw new Refusal('a symbol, which is no plain data');
    default:
      return null;
  }
}

function article(name: string): string {
  return /^[aeiou]/i.test(name) ? `an ${name}` : `a ${name}`;
}

function lengthOf(value: object): number {
  const length: unknown = Reflect.get(value, 'length');
  return typeof length === 'number' && Number.isSafeInteger(length) && length >= 0 ? length : 0;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 10_000) : '';
}

function hexOf(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex;
}
