import { MARK } from './atoms.ts';
import { broken, MAX_BIGINT_DIGITS, Refusal, type Slot } from './wire.ts';

/** Primitive values as slots of a message, and back. */

export function primitiveSlot(value: unknown): Slot {
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
    case 'symbol': {
      if (value === MARK) return ['mark'];
      const name = wellKnown.get(value) ?? registered(value);
      if (name === undefined) throw new Refusal('a symbol, which is no plain data');
      return ['symbol', name];
    }
    default:
      return null;
  }
}

/** Throws a Refusal for invalid slots. */
export function primitiveOf(slot: unknown): unknown {
  if (!Array.isArray(slot)) {
    if (typeof slot === 'object' && slot !== null) throw broken();
    return slot;
  }
  const [tag, detail] = slot as readonly unknown[];
  if (tag === 'undefined') return undefined;
  if (tag === 'mark') return MARK;
  if (tag === 'number') return Number(detail);
  if (tag === 'bigint') {
    const digits = String(detail);
    if (digits.length > MAX_BIGINT_DIGITS + 1) throw broken();
    return digits.startsWith('-') ? -BigInt(`0x${digits.slice(1)}`) : BigInt(`0x${digits}`);
  }
  if (tag === 'symbol' && typeof detail === 'string') {
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

/** Whether both sides can name a symbol. */
export function canCross(symbol: symbol): boolean {
  return wellKnown.has(symbol) || registered(symbol) !== undefined;
}

function registered(symbol: symbol): string | undefined {
  const key = Symbol.keyFor(symbol);
  return key === undefined ? undefined : `for ${key}`;
}
