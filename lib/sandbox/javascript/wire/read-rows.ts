import type { Code } from './realm.ts';
import {
  classNameOf,
  dataOf,
  hole,
  isSameSlot,
  MAX_VALUES,
  Refusal,
  type Row,
  type SessionOptions,
  type Slot,
  type State,
  states,
  symbolName,
  textOf,
} from './rows.ts';

/** Writes objects of this end as rows; calls no method of them but the getters of those that are flattened. */
export interface RowReader {
  /** Throws a Refusal for what is not plain data. */
  rowOf(object: object): Row;
  /** Whether an object still is what its row says. False if only a new row can tell. */
  isUnchanged(object: object, row: Row): boolean;
}

const MAX_PROTOTYPES = 100;
/** Of lists with more parts, additional properties are not looked for in each call. */
const MANY_PARTS = 64;

type Kind = readonly [code: Code, name: string];
const nameless: Kind = ['o', ''];

/** `slotOf` gives an object its number; `numberOf` looks it up. */
export function createRowReader(
  { realm, classes, others = 'refuse', buffers, exactErrors = false }: SessionOptions,
  slotOf: (value: unknown) => Slot,
  numberOf: (object: object) => number | undefined,
): RowReader {
  const kinds = kindsOf(realm);

  const kindOf = (object: object): Kind => {
    if (realm.isProxy(object)) throw new Refusal('a Proxy');
    if (typeof object === 'function') {
      if (others === 'describe') return ['f', textOf(dataOf(object, 'name'))];
      throw new Refusal('a function');
    }
    const prototype = Object.getPrototypeOf(object) as object | null;
    if (prototype === null) return nameless;
    const kind = kinds.get(prototype);
    if (kind !== undefined) return kind;
    if (buffers?.isPrototype(prototype)) return ['t', 'Buffer'];
    const declared = classes?.names.get(prototype);
    if (declared !== undefined) return ['c', declared];
    let parent: object | null = prototype;
    for (let depth = 0; parent !== null && depth < MAX_PROTOTYPES; depth++) {
      const known = kinds.get(parent);
      if (known?.[0] === 'e' && !exactErrors) return known;
      parent = Object.getPrototypeOf(parent) as object | null;
    }
    if (others === 'describe') return ['c', classNameOf(prototype)];
    if (others === 'flatten') return ['o', 'Object'];
    throw new Refusal(`an instance of ${classNameOf(prototype)}`);
  };

  const rowOf = (object: object): Row => {
    const [code, name] = kindOf(object);
    const state = stateOf(object);
    const items: Slot[] = [];
    try {
      switch (code) {
        case 'a': {
          if (!Array.isArray(object)) throw new Refusal('an object with the prototype of a list');
          const { length } = object as unknown[];
          if (length > MAX_VALUES) throw new Refusal('a list of more than a million elements');
          for (let i = 0; i < length; i++) items.push(elementOf(object, i));
          const keys = Reflect.ownKeys(object);
          if (keys.length === length + 1) return [code, 0, items, 0, state];
          const extra = keys.filter(
            key => typeof key === 'symbol' || !(key === 'length' || /^\d+$/.test(key)),
          );
          return [code, 0, items, extra.length === 0 ? 0 : propertiesOf(object, extra), state];
        }
        case 'o':
        case 'c': {
          if (Array.isArray(object)) throw new Refusal('a list with another prototype');
          const properties = propertiesOf(object, Reflect.ownKeys(object), state);
          return [code, code === 'c' ? name : name === '' ? 0 : 1, properties, 0, state];
        }
        case 'm':
          mapForEach.call(object as Map<unknown, unknown>, (value, key) => {
            items.push(slotOf(key), slotOf(value));
          });
          break;
        case 's':
          setForEach.call(object as Set<unknown>, value => void items.push(slotOf(value)));
          break;
        case 'd':
          items.push(slotOf(dateTime.call(object as Date)));
          break;
        case 'r': {
          const head = [
            String(regexpSource.call(object as RegExp)),
            String(regexpFlags.call(object as RegExp)),
          ];
          if (Reflect.ownKeys(object).length > 1) throw new Refusal('a RegExp with properties of its own');
          return [code, head, [slotOf(dataOf(object, 'lastIndex'))], 0, state];
        }
        case 'B':
          for (const byte of new Uint8Array(object as ArrayBuffer)) items.push(byte);
          break;
        case 't': {
          for (const byte of bytesOf(object)) items.push(byte);
          const elements = name === 'DataView' ? 0 : Number(arrayLength.call(object));
          if (Reflect.ownKeys(object).length > elements)
            throw new Refusal(`a ${name} with properties of its own`);
          return [code, name, items, 0, state];
        }
        case 'e':
          return errorRow(object, name, state);
        default:
          return [code, name, items, 0, state];
      }
    } catch (problem) {
      if (problem instanceof Refusal) throw problem;
      throw new Refusal(`an object with the prototype of ${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`);
    }
    if (Reflect.ownKeys(object).length > 0 && others === 'refuse')
      throw new Refusal(`a ${name} with properties of its own`);
    return [code, 0, items, 0, state];
  };

  const elementOf = (array: object, index: number): Slot => {
    const found = Object.getOwnPropertyDescriptor(array, index);
    if (!found) return hole;
    if (found.get || found.set) return accessorOf(array, index);
    return slotOf(found.value);
  };

  const accessorOf = (object: object, key: PropertyKey): Slot => {
    if (others === 'describe') return '[Getter]';
    if (others === 'flatten') return slotOf(Reflect.get(object, key));
    throw new Refusal(`an object whose ${String(key)} is computed by a function`);
  };

  const propertiesOf = (object: object, keys: readonly PropertyKey[], state: State = 0): Slot[] => {
    const items: Slot[] = [];
    for (const key of keys) {
      const found = Object.getOwnPropertyDescriptor(object, key);
      if (!found) continue;
      // Under the language's own symbols, data would behave: as a list that is spread, or as another type.
      const name = typeof key === 'symbol' ? symbolName(key) : key;
      const behaves = typeof key === 'symbol' && Symbol.keyFor(key) === undefined;
      if (name === undefined || (behaves && (found.get || found.set || found.value !== undefined))) {
        if (others !== 'refuse') continue;
        throw new Refusal(`an object with ${name ? String(key) : 'a symbol of its own'} as a key`);
      }
      if (!found.enumerable && others === 'refuse')
        throw new Refusal(`an object whose ${String(key)} is hidden`);
      if (
        !found.get &&
        !found.set &&
        state % 3 === 0 &&
        others === 'refuse' &&
        !(found.writable && found.configurable)
      )
        throw new Refusal(`an object whose ${String(key)} cannot change`);
      items.push(
        typeof key === 'symbol' ? ['s', String(name)] : String(key),
        found.get || found.set ? accessorOf(object, key) : slotOf(found.value),
      );
    }
    return items;
  };

  const errorRow = (error: object, type: string, state: State): Row => {
    const items: Slot[] = [];
    for (const key of Reflect.ownKeys(error)) {
      const found = Object.getOwnPropertyDescriptor(error, key);
      if (typeof key !== 'string' || key === 'stack' || !found || found.get || found.set) continue;
      // What a method or an accessor of an error says does not cross.
      if (typeof found.value === 'function' || typeof found.value === 'symbol') continue;
      items.push(key, found.enumerable ?? false, slotOf(found.value));
    }
    const prototype = Object.getPrototypeOf(error) as object;
    const isBuiltin = kinds.has(prototype);
    const name = isBuiltin ? null : inheritedName(prototype, kinds);
    return ['e', [type, isBuiltin ? type : classNameOf(prototype), name], items, 0, state];
  };

  /** Whether an object is what the other end knows. */
  const isUnchanged = (object: object, row: Row): boolean => {
    const [code, , items, extra] = row;
    if (extra !== 0 || !Object.isExtensible(object)) return false;
    if (code === 'a') {
      const array = object as readonly unknown[];
      if (array.length !== items.length) return false;
      // The keys of a long list would take longer than all else.
      if (items.length <= MANY_PARTS && Reflect.ownKeys(array).length > items.length + 1) return false;
      for (let i = 0; i < items.length; i++) if (!isSlotOf(items[i], array[i])) return false;
      return true;
    }
    if (code !== 'o') return false;
    const keys = Reflect.ownKeys(object);
    if (2 * keys.length !== items.length) return false;
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] !== items[2 * i]) return false;
      if (!isSlotOf(items[2 * i + 1], (object as Record<PropertyKey, unknown>)[keys[i] ?? ''])) return false;
    }
    return true;
  };

  const isSlotOf = (slot: Slot | undefined, value: unknown): boolean => {
    if (slot === value) return slot !== 0 || !Object.is(value, -0);
    if (!Array.isArray(slot)) return false;
    return typeof slot[0] === 'number'
      ? numberOf(value as object) === slot[0]
      : isSameSlot(slot, slotOf(value));
  };

  return { rowOf, isUnchanged };
}

/** The name that errors of a class inherit from it. */
function inheritedName(prototype: object, kinds: ReadonlyMap<object, Kind>): string | null {
  let parent: object | null = prototype;
  for (let depth = 0; parent !== null && !kinds.has(parent) && depth < MAX_PROTOTYPES; depth++) {
    const found = dataOf(parent, 'name');
    if (typeof found === 'string') return textOf(found);
    parent = Object.getPrototypeOf(parent) as object | null;
  }
  return null;
}

const kindsByRealm = new WeakMap<object, ReadonlyMap<object, Kind>>();

function kindsOf(realm: SessionOptions['realm']): ReadonlyMap<object, Kind> {
  const known = kindsByRealm.get(realm);
  if (known) return known;
  const kinds = new Map<object, Kind>();
  for (const [prototype, code, name] of realm.prototypes) kinds.set(prototype, [code, name]);
  kindsByRealm.set(realm, kinds);
  return kinds;
}

function stateOf(object: object): State {
  if (Object.isExtensible(object)) return 0;
  const state = Object.isFrozen(object) ? 'frozen' : Object.isSealed(object) ? 'sealed' : 'not extensible';
  return states.indexOf(state) as State;
}

/** Methods of builtins, which work on objects of any realm. */
const { forEach: mapForEach } = Map.prototype;
const { forEach: setForEach } = Set.prototype;
const { getTime: dateTime } = Date.prototype;
const regexpSource = getter(RegExp.prototype, 'source');
const regexpFlags = getter(RegExp.prototype, 'flags');
const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const arrayTag = getter(typedArray, Symbol.toStringTag);
const arrayLength = getter(typedArray, 'length');
const ofArrays = ['buffer', 'byteOffset', 'byteLength'].map(key => getter(typedArray, key));
const ofDataViews = ['buffer', 'byteOffset', 'byteLength'].map(key => getter(DataView.prototype, key));

function getter(prototype: object, key: PropertyKey): (this: object) => unknown {
  return Object.getOwnPropertyDescriptor(prototype, key)?.get as (this: object) => unknown;
}

/** The bytes of a typed array or a DataView: each crosses with a buffer of its own. */
export function bytesOf(view: object): Uint8Array {
  const getters = arrayTag.call(view) === undefined ? ofDataViews : ofArrays;
  const [buffer, offset, length] = getters.map(get => get.call(view));
  return new Uint8Array(buffer as ArrayBuffer, offset as number, length as number);
}
