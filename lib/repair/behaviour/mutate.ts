import { withoutRepeats } from '../../core/without-repeats.ts';
import {
  type EntriesKind,
  entriesOf,
  itemsOf,
  kindOf,
  type ListKind,
  numberOf,
  sizeOf,
  type Value,
} from './value.ts';

/** What mutations draw from. */
export interface Source {
  /** Uniform numbers in [0, 1). */
  readonly random: () => number;
  /** A value that calls had at the same position: `0` is the first argument, `0[]` an item of it. */
  seen(position: string): Value | undefined;
  /** Whether numbers at a position have fractions. */
  hasFractions(position: string): boolean;
  /** Whether tuples at a position have one length, as those of a pair. */
  hasFixedLength(position: string): boolean;
  /** A number of the same input, which makes ties. */
  tie(): number | undefined;
}

/** Maximum characters of a mutated text, and maximum sum of `sizeOf` of a mutated list's items. */
export const MAX_SIZE = 300;
const MAX_ITEMS = 40;

/** A similar value, mostly of the same type, or one that calls had at the position. */
export function mutated(value: Value, position: string, source: Source): Value {
  // Where different types occurred, such as None, any of them may.
  const other = source.seen(position);
  if (other !== undefined && source.random() < (kindOf(other) === kindOf(value) ? 0.15 : 0.5)) return other;
  const kind = kindOf(value);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return mutatedText(value, position, source);
  if (kind === 'int' || kind === 'float') return mutatedNumber(value, position, source);
  const items = itemsOf(value);
  if (items) return [kind as ListKind, mutatedItems(items, kind as ListKind, position, source)];
  const entries = entriesOf(value);
  if (entries) return [kind as EntriesKind, mutatedEntries(entries, position, source)];
  return value;
}

function mutatedNumber(value: Value, position: string, source: Source): Value {
  const amount = numberOf(value) ?? 0;
  const number = Number.isFinite(amount) ? amount : 0;
  const { random } = source;
  const near = [number + 1, number - 1, -number, 2 * number, Math.trunc(number / 2), Math.abs(number) + 2];
  const borders = [0, 1, -1, 2, 3, 10, 100];
  const scale = Math.max(10, Math.min(1000, 2 * Math.abs(number)));
  const anywhere = Math.round((random() * 2 - 0.5) * scale);
  const whole = pick(
    [pick(near, random), pick(borders, random), source.tie() ?? number + 1, anywhere],
    random,
  );
  if (!source.hasFractions(position)) return toInteger(value, whole);
  const apart = pick([0, 0, 0.5, 0.25, -0.5, 0.1, 0.001, random()], random);
  return toFloat(whole + apart);
}

/** Where only integers occurred, only integers are written; `['int', …]` stays what it is. */
function toInteger(value: Value, number: number): Value {
  const whole = Math.round(number) + 0;
  if (Array.isArray(value) && value[0] === 'int') return ['int', String(BigInt(whole))];
  return Number.isSafeInteger(whole) ? whole : ['int', String(BigInt(whole))];
}

function toFloat(number: number): Value {
  const text = String(Number(number.toFixed(6)));
  return ['float', /[.e]/.test(text) ? text : `${text}.0`];
}

const letters = [...'abzAZey019 .,-_()\néß中'];

function mutatedText(text: string, position: string, source: Source): string {
  const { random } = source;
  const symbols = Array.from(text);
  const index = Math.floor(random() * (symbols.length + 1));
  const symbol = symbols[Math.floor(random() * symbols.length)] ?? pick(letters, random);
  const seen = source.seen(position);
  const others = Array.from(typeof seen === 'string' ? seen : text);
  // Mostly a character that the texts use: many functions only take some.
  const fresh = others.length > 0 && random() < 0.7 ? pick(others, random) : pick(letters, random);
  const without = symbols.toSpliced(Math.min(index, symbols.length - 1), 1).join('');
  const words = text.split(' ');
  const forms: (() => string)[] = [
    () => '',
    () => symbol,
    () => without,
    () => without,
    () => symbols.toSpliced(index, 0, fresh).join(''),
    () => symbols.toSpliced(index, 0, fresh).join(''),
    () => symbols.toSpliced(index, 1, fresh).join(''),
    () => symbols.toSpliced(index, 1, fresh).join(''),
    () => symbols.toSpliced(index, 0, symbol).join(''),
    () => symbols.toReversed().join(''),
    () => symbols.toSorted().join(''),
    () => symbols.slice(0, index).join(''),
    () => symbols.slice(index).join(''),
    () => text + text,
    () => text + others.join(''),
    () => symbol.repeat(symbols.length || 2),
    () => text.toUpperCase(),
    () => text.toLowerCase(),
    () => symbols.map((letter, index) => (index % 2 ? letter.toLowerCase() : letter.toUpperCase())).join(''),
    () => `${text} `,
    () => ` ${text}`,
    () => symbols.toSpliced(index, 0, ' ').join(''),
    () => symbols.toSpliced(index, 0, pick(letters, random)).join(''),
    () => words.toReversed().join(' '),
    () => words.toSpliced(Math.floor(random() * words.length), 1).join(' '),
    () => [...words, pick(words, random)].join(' '),
    () => shuffled(symbols, random).join(''),
  ];
  return pick(forms, random)().slice(0, MAX_SIZE);
}

function mutatedItems(items: readonly Value[], kind: ListKind, position: string, source: Source): Value[] {
  const { random } = source;
  const itemPosition = `${position}[]`;
  const chosenIndex = Math.floor(random() * items.length);
  const chosen = items[chosenIndex];
  const fresh = (): Value[] => {
    const base = source.seen(itemPosition) ?? chosen;
    return base === undefined ? [] : [random() < 0.5 ? base : mutated(base, itemPosition, source)];
  };
  const other = Math.floor(random() * items.length);
  const change = () =>
    chosen === undefined ? fresh() : items.toSpliced(chosenIndex, 1, mutated(chosen, itemPosition, source));
  const inPlace: (() => readonly Value[])[] = [
    change,
    change,
    change,
    () =>
      change().map((item, index) =>
        random() < 0.3 && index !== chosenIndex ? mutated(item, itemPosition, source) : item,
      ),
    () => items.toReversed(),
    () => items.toSorted(byValue),
    () => shuffled(items, random),
    () => (chosen === undefined ? fresh() : items.toSpliced(other, 1, chosen)),
    () => (chosen === undefined ? fresh() : items.map(() => chosen)),
  ];
  const longerOrShorter: (() => readonly Value[])[] = [
    () => [],
    () => items.slice(0, 1),
    () => items.slice(1),
    () => items.slice(0, -1),
    () => items.toSpliced(chosenIndex, 1),
    () => items.toSpliced(chosenIndex, 0, ...fresh()),
    () => [...items, ...fresh()],
    () => [...fresh(), ...items],
    () => [...items, ...fresh(), ...fresh(), ...fresh()],
    () => Array.from({ length: 2 + Math.floor(random() * 6) }, fresh).flat(),
    () => (chosen === undefined ? fresh() : [...items, chosen]),
    () => [...items, ...items],
  ];
  const isFixed = kind === 'tuple' && source.hasFixedLength(position);
  const forms = isFixed ? inPlace : [...inPlace, ...longerOrShorter];
  const changed = pick(forms, random)().slice(0, Math.max(MAX_ITEMS, items.length));
  return kind === 'set' || kind === 'frozenset' ? withoutRepeats(changed) : bounded(changed);
}

function mutatedEntries(entries: readonly (readonly [Value, Value])[], position: string, source: Source) {
  const { random } = source;
  const [keys, values] = [`${position}{key}`, `${position}{}`];
  const index = Math.floor(random() * entries.length);
  const [key, value] = entries[index] ?? [source.seen(keys), source.seen(values)];
  if (key === undefined || value === undefined) return entries;
  const forms: (() => readonly (readonly [Value, Value])[])[] = [
    () => entries.toSpliced(index, 1, [key, mutated(value, valuePosition(position, key), source)]),
    () => entries.toSpliced(index, 1, [key, source.seen(values) ?? value]),
    () => entries.toSpliced(index, 1, [mutated(key, keys, source), value]),
    () => entries.toSpliced(index, 1),
    () => [...entries, [mutated(key, keys, source), mutated(value, values, source)]],
    () => [...entries, [source.seen(keys) ?? key, source.seen(values) ?? value]],
    () => entries.toReversed(),
    () => [],
  ];
  const changed = pick(forms, random)();
  const keyTexts = changed.map(entry => JSON.stringify(entry[0]));
  return changed.filter((_, index) => keyTexts.indexOf(keyTexts[index] ?? '') === index).slice(0, MAX_ITEMS);
}

/** The values of one key resemble each other. */
export function valuePosition(position: string, key: Value): string {
  return `${position}{${JSON.stringify(key)}}`;
}

function byValue(a: Value, b: Value): number {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== null && y !== null) return x - y;
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

function bounded(items: readonly Value[]): Value[] {
  let size = 0;
  return items.filter(item => {
    size += sizeOf(item);
    return size <= MAX_SIZE;
  });
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const keyed = items.map(item => ({ item, key: random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

/** One of a list that is not empty. */
export function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)] as T;
}
