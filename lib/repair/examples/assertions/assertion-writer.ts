import type { Value } from '../literals.ts';

/** A call of the entry point with its value. */
export interface TypedExample {
  readonly args: readonly Value[];
  readonly expected: Value;
}

/** The types of a function, as written in its header. */
export interface FunctionTypes {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly result: string;
  /** The class that contains it, in Java. */
  readonly owner: string;
}

/** An example whose values are written in the language. */
export interface WrittenExample {
  readonly args: readonly string[];
  readonly wanted: string;
  readonly expected: Value;
}

/** Writes tests of a compiled language. */
export interface AssertionWriter {
  /** Writes a value of a type, as written in a header; null if it does not fit. */
  write(value: Value, type: string): string | null;
  /** On one line. */
  assertion(types: FunctionTypes, example: WrittenExample): string;
  /** A test program of assertions. */
  program(assertions: readonly string[]): string;
}

type Write = (value: Value) => string | null;

/** `write` for each; null if one does not fit. */
export function all<T>(
  items: readonly T[],
  write: (item: T, index: number) => string | null,
): string[] | null {
  const written = items.map(write);
  return written.every(text => text !== null) ? written : null;
}

export function integer(value: Value, isUnsigned = false): string | null {
  if (value.kind !== 'number' || !/^[-+]?\d[\d_]*$/.test(value.text)) return null;
  const digits = value.text.replace(/[+_]/g, '');
  return isUnsigned && digits.startsWith('-') ? null : digits;
}

/** With a decimal point or an exponent. */
export function fraction(value: Value): string | null {
  if (value.kind !== 'number') return null;
  const digits = value.text.replace(/[+_]/g, '').replace(/^(-?)\./, '$10.');
  return /[.e]/i.test(digits) ? digits : `${digits}.0`;
}

export function truth(value: Value): string | null {
  return value.kind === 'truth' ? String(value.holds) : null;
}

/** In double quotes; the languages differ in their escapes of other control characters. */
export function text(value: Value): string | null {
  return value.kind === 'string' && !/(?![\n\t\r])\p{Cc}/u.test(value.text)
    ? JSON.stringify(value.text)
    : null;
}

/** One character in single quotes. */
export function character(value: Value): string | null {
  if (value.kind !== 'string' || [...value.text].length !== 1) return null;
  const quoted = text(value)?.slice(1, -1);
  if (quoted === undefined) return null;
  return quoted === "'" ? "'\\''" : `'${quoted === '\\"' ? '"' : quoted}'`;
}

/** A value of a type that is known only at run time; null if it is a collection. */
export function dynamic(value: Value): string | null {
  return integer(value) ?? fraction(value) ?? text(value) ?? truth(value);
}

/** A written value as part of other text; null if there is none. */
export function within(written: string | null, put: (written: string) => string | null): string | null {
  return written === null ? null : put(written);
}

/** The items of a list, separated by commas; null if one does not fit. */
export function listed(value: Value, write: Write): string | null {
  const items = itemsOf(value);
  return (items && all(items, write)?.join(', ')) ?? null;
}

/** The entries of a map, separated by commas; null if one does not fit. */
export function mapped(
  value: Value,
  writeKey: Write,
  writeEntry: Write,
  pair: (key: string, entry: string) => string,
): string | null {
  const writePair = ([key, entry]: readonly [Value, Value]) =>
    within(writeKey(key), before => within(writeEntry(entry), after => pair(before, after)));
  const entries = entriesOf(value);
  return (entries && all(entries, writePair)?.join(', ')) ?? null;
}

/** The items of a tuple by their types, separated by commas; null if one does not fit, or their number. */
export function tupled(
  value: Value,
  types: readonly string[],
  write: AssertionWriter['write'],
): string | null {
  const items = itemsOf(value);
  if (items?.length !== types.length) return null;
  return all(items, (item, index) => write(item, types[index] ?? ''))?.join(', ') ?? null;
}

export function itemsOf(value: Value): readonly Value[] | null {
  return value.kind === 'list' ? value.items : null;
}

/** The entries of a map, which may be written as a list of pairs. */
export function entriesOf(value: Value): readonly (readonly [Value, Value])[] | null {
  if (value.kind === 'map') return value.entries;
  if (value.kind !== 'list') return null;
  const entries = value.items.flatMap((item): [Value, Value][] => {
    const [key, entry, ...more] = item.kind === 'list' ? item.items : [];
    return key && entry && more.length === 0 ? [[key, entry]] : [];
  });
  return entries.length === value.items.length ? entries : null;
}

/** A number with a fraction may be rounded, and binary fractions are not exact. */
export function isRounded(value: Value): boolean {
  return value.kind === 'number' && /[.e]/i.test(value.text);
}
