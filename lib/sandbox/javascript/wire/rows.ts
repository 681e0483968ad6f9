import type { Code, Realm } from './realm.ts';

/** How plain data is written in messages; see plain-data.ts. */

/** Values in one message, as parts of objects. */
export const MAX_VALUES = 1_000_000;
/** Bytes of one message. */
export const MAX_FRAME_BYTES = 48 * 2 ** 20;
/** Hexadecimal digits of a bigint: 2^1,000,000 still crosses. */
const MAX_BIGINT_DIGITS = 250_001;

/**
 * A string, a number that JSON has, a boolean or null as itself; `[number]` for an object; tagged: `['u']` undefined,
 * `['n', text]` a number, `['b', hexadecimal]` a bigint, `['s', name]` a symbol, `['h']` a missing element.
 */
export type Slot = string | number | boolean | null | readonly [number] | readonly [string, string?];

/** `items` are elements, entries, or keys and values; `extra` an array's keys and values; `state` how it is closed. */
export type Row = readonly [
  code: Code,
  head: unknown,
  items: readonly Slot[],
  extra: readonly Slot[] | 0,
  state: State,
];

export const states = ['open', 'sealed', 'frozen', 'not extensible'] as const;
export type State = 0 | 1 | 2 | 3;

export type Message = readonly [
  roots: readonly Slot[],
  rows: readonly Row[],
  changed: readonly (readonly [number, Row])[],
];

/** Thrown for a value that is not plain data, or a message that cannot be read. */
export class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export interface SessionOptions {
  readonly realm: Pick<Realm, Exclude<keyof Realm, 'fail' | 'trackProxies' | 'runHere'>>;
  /** Classes that the task declares, by prototype and by name. */
  readonly classes?: Classes;
  /** What becomes of other objects: refused, described for printing, or copied without their class. */
  readonly others?: 'refuse' | 'describe' | 'flatten';
  /** Node's Buffer in this realm. */
  readonly buffers?: Buffers | undefined;
  /** Whether errors of classes that extend the builtin ones are refused. */
  readonly exactErrors?: boolean;
}

export interface Classes {
  readonly names: ReadonlyMap<object, string>;
  readonly prototypes: ReadonlyMap<string, object>;
}

export interface Buffers {
  isPrototype(prototype: object): boolean;
  from(buffer: ArrayBuffer, offset: number, length: number): object;
}

const { toString: bigintText } = BigInt.prototype;

export function taggedSlot(value: unknown): Slot {
  if (value === undefined) return ['u'];
  if (typeof value === 'bigint') {
    const digits = bigintText.call(value, 16);
    if (digits.length > MAX_BIGINT_DIGITS) throw new Refusal('a bigint of more than a million bits');
    return ['b', digits];
  }
  const name = symbolName(value as symbol);
  if (name === undefined) throw new Refusal('a symbol');
  return ['s', name];
}

export function taggedValue([tag, detail]: readonly unknown[]): unknown {
  if (tag === 'u') return undefined;
  if (tag === 'n') return Number(detail);
  if (tag === 'b' && typeof detail === 'string' && detail.length <= MAX_BIGINT_DIGITS + 1)
    return detail.startsWith('-') ? -BigInt(`0x${detail.slice(1)}`) : BigInt(`0x${detail}`);
  if (tag === 's' && typeof detail === 'string') {
    if (detail.startsWith('for ')) return Symbol.for(detail.slice(4));
    for (const [symbol, name] of wellKnown) if (name === detail) return symbol;
  }
  throw broken();
}

/** The same in all realms of an isolate. */
const wellKnown = new Map<symbol, string>(
  Object.getOwnPropertyNames(Symbol).flatMap(name => {
    const value: unknown = Reflect.get(Symbol, name);
    return typeof value === 'symbol' ? [[value, name] as const] : [];
  }),
);

/** The name by which both ends know a symbol. */
export function symbolName(symbol: symbol): string | undefined {
  const key = Symbol.keyFor(symbol);
  return key === undefined ? wellKnown.get(symbol) : `for ${key}`;
}

export function broken(): Refusal {
  return new Refusal('a message that cannot be read');
}

export const hole = ['h'] as const;

export function isHole(slot: unknown): boolean {
  return Array.isArray(slot) && slot[0] === 'h';
}

export function isSameRow([code, head, items, extra, state]: Row, now: Row): boolean {
  if (code !== now[0] || state !== now[4] || items.length !== now[2].length) return false;
  if (!isSameHead(head, now[1])) return false;
  for (let i = 0; i < items.length; i++) if (!isSameSlot(items[i], now[2][i])) return false;
  if (extra === 0 || now[3] === 0) return extra === now[3];
  if (extra.length !== now[3].length) return false;
  for (let i = 0; i < extra.length; i++) if (!isSameSlot(extra[i], now[3][i])) return false;
  return true;
}

function isSameHead(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((part, i) => part === b[i]);
}

export function isSameSlot(a: Slot | undefined, b: Slot | undefined): boolean {
  if (a === b) return true;
  return Array.isArray(a) && Array.isArray(b) && a[0] === b[0] && a[1] === b[1];
}

/** A property's value, unless it is computed. */
export function dataOf(object: object, key: PropertyKey): unknown {
  return Object.getOwnPropertyDescriptor(object, key)?.value;
}

export function classNameOf(prototype: object): string {
  const maker = dataOf(prototype, 'constructor');
  const name = typeof maker === 'function' ? dataOf(maker, 'name') : undefined;
  return typeof name === 'string' && name !== '' ? textOf(name) : 'a nameless class';
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 200) : '';
}
