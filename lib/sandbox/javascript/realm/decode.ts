import type { Handles } from './handles.ts';
import type { BinaryType, ErrorType, Intrinsics } from './intrinsics.ts';
import { shadowsBuiltin } from './shadowing.ts';
import { type Graph, MAX_BIGINT_DIGITS, type Properties, Refusal, type Row, type Slot } from './wire.ts';

export interface Foreign {
  /** Called by a stand-in for a function of the other side. */
  call(id: number, name: string, args: unknown[], construct: boolean): unknown;
  step(id: number, method: 'next' | 'return' | 'throw', args: unknown[]): unknown;
  /** Told once of each promise of the other side. */
  expect(id: number, settlers: Settlers): void;
  /** Something was read that stayed on the other side. */
  refuse(reason: string): never;
}

export interface Settlers {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

export interface Decoder {
  /**
   * Builds the values that a graph describes, with this realm's prototypes. The first rows are written into
   * `known`, objects that this side sent before. Throws a Refusal if the graph does not hold together,
   * whatever it holds: it may come from a process that has been taken over.
   */
  decode(graph: Graph, known?: readonly object[]): { values: unknown[]; objects: object[] };
}

export function createDecoder(intrinsics: Intrinsics, handles: Handles, foreign: Foreign): Decoder {
  const standIn = (id: number, name: string, length: number): object =>
    handles.take(id, () =>
      intrinsics.newStandIn((args, construct) => foreign.call(id, name, args, construct), name, length),
    );

  const promised = (id: number): object =>
    handles.take(id, () => {
      const { promise, resolve, reject } = intrinsics.newPromise();
      foreign.expect(id, { resolve, reject });
      return promise;
    });

  const shell = (row: Row): object => {
    switch (row.kind) {
      case 'object': {
        const object = intrinsics.newObject();
        return row.bare ? Object.setPrototypeOf(object, null) : object;
      }
      case 'array':
        return intrinsics.newArray();
      case 'map':
        return intrinsics.newMap();
      case 'set':
        return intrinsics.newSet();
      case 'date':
        return intrinsics.newDate(plain(row.time) as number);
      case 'regexp': {
        const regexp = intrinsics.newRegExp(String(row.source), String(row.flags));
        regexp.lastIndex = Number(row.lastIndex);
        return regexp;
      }
      case 'boxed':
        return intrinsics.newBoxed(plain(row.value) as string);
      case 'error':
        return newError(intrinsics, row);
      case 'buffer':
        return bufferOf(intrinsics, row.hex);
      case 'view': {
        const type = row.type as Exclude<BinaryType, 'ArrayBuffer'>;
        if (!Object.hasOwn(intrinsics.binaryTypes, type)) throw broken();
        return intrinsics.newView(type, bufferOf(intrinsics, row.hex));
      }
      case 'iterator':
        return handles.take(row.id, () =>
          intrinsics.newIterator((method, args) => foreign.step(row.id, method, args), row.isAsync === true),
        );
      default:
        throw broken();
    }
  };

  const decode = (graph: Graph, known: readonly object[] = []): { values: unknown[]; objects: object[] } => {
    const objects = graph.rows.map((row, i) => known[i] ?? shell(row ?? fail()));
    const value = (slot: Slot): unknown => {
      if (!Array.isArray(slot)) return slot;
      const [tag, id] = slot as readonly [string, unknown];
      if (tag === 'object') return (Number.isSafeInteger(id) ? objects[id as number] : undefined) ?? fail();
      if (tag === 'function') return standIn(Number(id), String(slot[2]), Number(slot[3]));
      if (tag === 'promise') return promised(Number(id));
      if (tag === 'your function' || tag === 'your promise') return handles.own(id) ?? fail();
      return plain(slot as Slot);
    };
    graph.rows.forEach((row, i) => {
      const object = objects[i];
      if (row && object) fill(object, row, value, foreign, intrinsics);
    });
    return { values: graph.roots.map(value), objects };
  };

  return {
    decode(graph, known) {
      try {
        return decode(graph, known);
      } catch (problem) {
        throw problem instanceof Refusal ? problem : broken();
      }
    },
  };
}

function fill(
  object: object,
  row: Row,
  value: (slot: Slot) => unknown,
  foreign: Foreign,
  intrinsics: Intrinsics,
): void {
  const setAll = (properties: Properties): void => {
    for (const [key, slot] of properties) {
      const found = value(slot);
      if (typeof found === 'function' && shadowsBuiltin(key)) {
        intrinsics.defineRefused(object, key, () =>
          foreign.refuse(`an object with a ${key} function of its own`),
        );
      } else define(object, String(key), found);
    }
  };
  switch (row.kind) {
    case 'object':
      for (const key of Object.keys(object)) Reflect.deleteProperty(object, key);
      setAll(row.properties);
      for (const method of row.methods ?? []) {
        if (Object.hasOwn(object, method)) continue;
        intrinsics.defineRefused(object, String(method), () =>
          foreign.refuse(`an instance of ${row.className ?? 'a class'}, whose ${method} stays behind`),
        );
      }
      break;
    case 'array': {
      const array = object as unknown[];
      for (const key of Object.keys(array)) Reflect.deleteProperty(array, key);
      array.length = row.items.length;
      row.items.forEach((slot, i) => {
        if (!isHole(slot)) define(array, String(i), value(slot));
      });
      setAll(row.properties ?? []);
      break;
    }
    case 'map':
      mapClear.call(object as Map<unknown, unknown>);
      for (const [key, item] of row.entries)
        mapSet.call(object as Map<unknown, unknown>, value(key), value(item));
      break;
    case 'set':
      setClear.call(object as Set<unknown>);
      for (const item of row.items) setAdd.call(object as Set<unknown>, value(item));
      break;
    case 'error':
      setAll(row.properties);
      break;
    case 'date':
      dateSet.call(object as Date, plain(row.time) as number);
      break;
    case 'regexp':
      (object as RegExp).lastIndex = Number(row.lastIndex);
      break;
    case 'buffer':
    case 'view':
      write(object as ArrayBuffer | ArrayBufferView, row.hex);
      break;
    default:
      break;
  }
  if ((row.kind === 'object' || row.kind === 'array') && row.frozen) Object.freeze(object);
}

const mapClear = Map.prototype.clear;
const mapSet = Map.prototype.set;
const setClear = Set.prototype.clear;
const setAdd = Set.prototype.add;
const dateSet = Date.prototype.setTime;

function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

function isHole(slot: Slot): boolean {
  return Array.isArray(slot) && slot[0] === 'hole';
}

function plain(slot: Slot): unknown {
  if (!Array.isArray(slot)) {
    if (typeof slot === 'object' && slot !== null) throw broken();
    return slot;
  }
  const [tag, detail] = slot as readonly [string, unknown];
  if (tag === 'undefined') return undefined;
  if (tag === 'number') return Number(detail);
  if (tag === 'bigint') {
    const digits = String(detail);
    if (digits.length > MAX_BIGINT_DIGITS + 1) throw broken();
    return digits.startsWith('-') ? -BigInt(`0x${digits.slice(1)}`) : BigInt(`0x${digits}`);
  }
  throw broken();
}

function newError(intrinsics: Intrinsics, row: Row & { kind: 'error' }): Error {
  const type = Object.hasOwn(intrinsics.errorTypes, row.type) ? (row.type as ErrorType) : 'Error';
  const error = intrinsics.newError(type, String(row.message));
  if (row.name !== type) {
    Object.defineProperty(error, 'name', { value: String(row.name), writable: true, configurable: true });
  }
  return error;
}

function bufferOf(intrinsics: Intrinsics, hex: string): ArrayBuffer {
  const buffer = intrinsics.newBuffer(hex.length / 2);
  write(buffer, hex);
  return buffer;
}

function write(target: ArrayBuffer | ArrayBufferView, hex: string): void {
  const bytes =
    'buffer' in target
      ? new Uint8Array(target.buffer, target.byteOffset, target.byteLength)
      : new Uint8Array(target);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
}

function broken(): Refusal {
  return new Refusal('a message that cannot be read');
}

function fail(): never {
  throw broken();
}
