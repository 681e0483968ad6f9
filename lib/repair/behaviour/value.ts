/**
 * A value of a candidate as plain data of JSON. A number is an integer of up to 53 bits; what JSON lacks is a list that
 * begins with its kind.
 */
export type Value =
  | null
  | boolean
  | number
  | string
  /** In decimal digits: an integer of Python beyond 53 bits, a bigint of JavaScript. */
  | readonly ['int', string]
  /** As the language writes it: `0.1`, `nan`, `-Infinity`. */
  | readonly ['float', string]
  | readonly ['bytes', string]
  | readonly ['undefined']
  | readonly [ListKind, readonly Value[]]
  | readonly [EntriesKind, readonly (readonly [Value, Value])[]]
  /** Too long to be sent: the beginning and a hash of it. */
  | readonly ['long', string, string]
  /** Anything else: the name of its type. */
  | readonly ['other', string];

const listKinds = ['list', 'tuple', 'set', 'frozenset'] as const;
export type ListKind = (typeof listKinds)[number];

/** `dict`: Python's; `object` and `map`: JavaScript's. */
const entriesKinds = ['dict', 'object', 'map'] as const;
export type EntriesKind = (typeof entriesKinds)[number];

/** Whether data from a sandbox is a value. */
export function isValue(data: unknown, depth = 0): data is Value {
  if (data === null || ['boolean', 'number', 'string'].includes(typeof data)) return true;
  if (!Array.isArray(data) || depth > MAX_DEPTH) return false;
  const [kind, content, ...rest]: unknown[] = data;
  if (isListKind(kind)) return Array.isArray(content) && content.every(item => isValue(item, depth + 1));
  if (isEntriesKind(kind)) {
    const isEntry = (entry: unknown) =>
      Array.isArray(entry) && entry.length === 2 && entry.every(part => isValue(part, depth + 1));
    return Array.isArray(content) && content.every(isEntry);
  }
  if (kind === 'undefined') return data.length === 1;
  const texts = kind === 'long' ? 2 : 1;
  const isText = [content, ...rest].every(part => typeof part === 'string');
  return leafKinds.includes(String(kind)) && isText && rest.length === texts - 1;
}

/** Deeper values are `other`, so that a chain of lists cannot exhaust the stack. */
const MAX_DEPTH = 20;
const leafKinds = ['int', 'float', 'bytes', 'long', 'other'];

function isListKind(kind: unknown): kind is ListKind {
  return listKinds.some(each => each === kind);
}

function isEntriesKind(kind: unknown): kind is EntriesKind {
  return entriesKinds.some(each => each === kind);
}

/** The items of a list, tuple or set. */
export function itemsOf(value: Value): readonly Value[] | null {
  return Array.isArray(value) && isListKind(value[0]) ? (value[1] as readonly Value[]) : null;
}

/** The entries of a dictionary, an object or a map. */
export function entriesOf(value: Value): readonly (readonly [Value, Value])[] | null {
  return Array.isArray(value) && isEntriesKind(value[0])
    ? (value[1] as readonly (readonly [Value, Value])[])
    : null;
}

/** The number that it is; null if it is none. */
export function numberOf(value: Value): number | null {
  if (typeof value === 'number') return value;
  if (!Array.isArray(value) || (value[0] !== 'int' && value[0] !== 'float')) return null;
  const [, text = ''] = value as readonly string[];
  const infinite = /^(-?)inf(?:inity)?$/i.exec(text);
  return infinite ? Number(`${infinite[1]}Infinity`) : Number(text);
}

/** What a value is, as far as mutations care; numbers with and without a fraction are apart. */
export function kindOf(value: Value): string {
  if (Array.isArray(value)) return String(value[0]);
  if (value === null) return 'null';
  return typeof value === 'number' ? 'int' : typeof value;
}

/** Whether it or a part of it is of a kind that no argument can be made of. */
export function isOpaque(value: Value): boolean {
  return ['other', 'long'].includes(kindOf(value)) || partsOf(value).some(isOpaque);
}

/** Its items, keys and values. */
export function partsOf(value: Value): readonly Value[] {
  return itemsOf(value) ?? entriesOf(value)?.flat() ?? [];
}

/** Number of values in it, plus a quarter of the characters of texts. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return 1 + value.length / 4;
  return partsOf(value).reduce<number>((size, part) => size + sizeOf(part), 1);
}
