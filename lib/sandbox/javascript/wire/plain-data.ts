import { createRowReader } from './read-rows.ts';
import {
  broken,
  isSameRow,
  MAX_VALUES,
  type Message,
  Refusal,
  type Row,
  type SessionOptions,
  type Slot,
  taggedSlot,
  taggedValue,
} from './rows.ts';
import { createRowWriter } from './write-rows.ts';

/**
 * Plain data as messages. Primitives are slots; each object is a row of slots and has a number, so that cycles and shared
 * parts are kept. Both ends of a session give the objects of its messages the same numbers: what one end has changed in
 * an object that the other knows is sent as a changed row. Encoding calls no method of the objects: it reads
 * internal slots with builtins and properties by their descriptors. Only a flattened object's getters are called.
 */

export interface Session {
  encode(values: readonly unknown[]): Message;
  /** Applies what the other end has changed, and returns the roots. Throws a Refusal for what cannot be read. */
  decode(message: unknown): unknown[];
  knows(value: unknown): boolean;
  /** Number of parts of all objects. */
  parts(): number;
}

export function createSession(options: SessionOptions): Session {
  const objects: object[] = [];
  const rows: Row[] = [];
  const numbers = new Map<object, number>();
  let parts = 0;

  const slotOf = (value: unknown): Slot => {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) && !Object.is(value, -0)
          ? value
          : ['n', Object.is(value, -0) ? '-0' : String(value)];
      case 'object':
      case 'function': {
        if (value === null) return null;
        let number = numbers.get(value);
        if (number === undefined) {
          number = objects.length;
          numbers.set(value, number);
          objects[number] = value;
        }
        return [number];
      }
      default:
        return taggedSlot(value);
    }
  };

  const objectAt = (number: unknown): object => {
    const found = typeof number === 'number' ? objects[number] : undefined;
    if (found === undefined) throw broken();
    return found;
  };

  const valueIn = (slot: unknown): unknown => {
    if (!Array.isArray(slot)) {
      if (typeof slot === 'object' && slot !== null) throw broken();
      return slot;
    }
    return typeof slot[0] === 'number' ? objectAt(slot[0]) : taggedValue(slot);
  };

  const { rowOf, isUnchanged } = createRowReader(options, slotOf, object => numbers.get(object));
  const { create, fill } = createRowWriter(options, valueIn);

  return {
    encode(values) {
      let spent = 0;
      const roots = values.map(slotOf);
      const known = rows.length;
      const changed: [number, Row][] = [];
      for (let i = 0; i < known; i++) {
        const object = objects[i];
        const row = rows[i];
        if (!object || !row || isUnchanged(object, row)) continue;
        const now = rowOf(object);
        if (isSameRow(row, now)) continue;
        rows[i] = now;
        changed.push([i, now]);
      }
      for (let i = known; i < objects.length; i++) {
        const row = rowOf(objects[i] as object);
        rows[i] = row;
        parts += row[2].length + 1;
        spent += row[2].length + 1;
        if (spent > MAX_VALUES) throw new Refusal('a value of more than a million parts');
      }
      return [roots, rows.slice(known), changed];
    },
    decode(message) {
      try {
        const [roots, added, changed] = message as Message;
        const first = objects.length;
        if (added.length > MAX_VALUES) throw broken();
        for (const row of added) {
          const object = create(row);
          numbers.set(object, objects.length);
          objects.push(object);
          rows.push(row);
          parts += row[2].length + 1;
        }
        for (let i = 0; i < added.length; i++) fill(objectAt(first + i), added[i] as Row);
        for (const [number, row] of changed) {
          if (rows[number]?.[0] !== row[0]) throw broken();
          fill(objectAt(number), row);
          rows[number] = row;
        }
        return roots.map(valueIn);
      } catch (problem) {
        throw problem instanceof Refusal ? problem : broken();
      }
    },
    knows: value => typeof value === 'object' && value !== null && numbers.has(value),
    parts: () => parts,
  };
}
