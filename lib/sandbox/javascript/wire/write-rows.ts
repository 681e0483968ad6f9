import { bytesOf } from './read-rows.ts';
import { broken, isHole, type Row, type SessionOptions, type Slot } from './rows.ts';

/** Makes objects of rows. */
export interface RowWriter {
  /** The object of a row, without its contents. */
  create(row: Row): object;
  fill(object: object, row: Row): void;
}

export function createRowWriter(
  { realm, classes, others = 'refuse', buffers }: SessionOptions,
  valueIn: (slot: unknown) => unknown,
): RowWriter {
  const create = ([code, head, items]: Row): object => {
    switch (code) {
      case 'a':
        return realm.newArray();
      case 'o':
        return realm.newObject(head === 1);
      case 'm':
        return realm.newMap();
      case 's':
        return realm.newSet();
      case 'd':
        return realm.newDate(Number(valueIn(items[0])));
      case 'r': {
        const [source, flags] = head as readonly unknown[];
        return realm.newRegExp(String(source), String(flags));
      }
      case 'B':
        return realm.newBuffer(items.length);
      case 't': {
        const buffer = realm.newBuffer(items.length);
        const view =
          head === 'Buffer' ? buffers?.from(buffer, 0, items.length) : realm.newView(String(head), buffer);
        if (!view) throw broken();
        return view;
      }
      case 'e': {
        const [type, className, name] = head as readonly unknown[];
        const error = realm.newError(String(type), String(className), name === null ? null : String(name));
        if (!error) throw broken();
        return error;
      }
      case 'c': {
        const prototype = classes?.prototypes.get(String(head));
        if (prototype) return Object.create(prototype) as object;
        if (others !== 'describe') throw broken();
        return Object.create(realm.newPrototype(Object.prototype, String(head))) as object;
      }
      case 'f':
        if (others !== 'describe') throw broken();
        return realm.newFunction(String(head));
      default:
        throw broken();
    }
  };

  const fill = (object: object, [code, , items, extra, state]: Row): void => {
    switch (code) {
      case 'a': {
        const array = object as unknown[];
        array.length = 0;
        for (let i = 0; i < items.length; i++) {
          const slot = items[i];
          if (!isHole(slot)) array[i] = valueIn(slot);
        }
        array.length = items.length;
        if (extra !== 0) define(object, extra);
        break;
      }
      case 'o':
      case 'c':
        for (const key of Reflect.ownKeys(object)) Reflect.deleteProperty(object, key);
        define(object, items);
        break;
      case 'm':
        mapClear.call(object as Map<unknown, unknown>);
        for (let i = 0; i < items.length; i += 2)
          mapSet.call(object as Map<unknown, unknown>, valueIn(items[i]), valueIn(items[i + 1]));
        break;
      case 's':
        setClear.call(object as Set<unknown>);
        for (const item of items) setAdd.call(object as Set<unknown>, valueIn(item));
        break;
      case 'd':
        setDateTime.call(object as Date, Number(valueIn(items[0])));
        break;
      case 'r':
        Reflect.set(object, 'lastIndex', valueIn(items[0]));
        break;
      case 'B':
        new Uint8Array(object as ArrayBuffer).set(items as readonly number[]);
        break;
      case 't':
        bytesOf(object).set(items as readonly number[]);
        break;
      case 'e':
        for (let i = 0; i < items.length; i += 3) {
          const enumerable = items[i + 1] === true;
          const value = valueIn(items[i + 2]);
          Object.defineProperty(object, String(items[i]), {
            value,
            enumerable,
            writable: true,
            configurable: true,
          });
        }
        break;
      default:
        break;
    }
    if (state === 1) Object.seal(object);
    if (state === 2) Object.freeze(object);
    if (state === 3) Object.preventExtensions(object);
  };

  const define = (object: object, items: readonly Slot[]): void => {
    for (let i = 0; i < items.length; i += 2) {
      const key = valueIn(items[i]) as string | symbol;
      const value = valueIn(items[i + 1]);
      if (key !== '__proto__') (object as Record<PropertyKey, unknown>)[key] = value;
      else
        Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
    }
  };

  return { create, fill };
}

/** Methods of builtins, which work on objects of any realm. */
const { set: mapSet, clear: mapClear } = Map.prototype;
const { add: setAdd, clear: setClear } = Set.prototype;
const { setTime: setDateTime } = Date.prototype;
