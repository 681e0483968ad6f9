import type { Input } from './generate.ts';
import { itemsOf, kindOf, type ListKind, numberOf, partsOf, type Value } from './value.ts';

/** Calls that are varied, the shortest first, and the longest list or text that is made. */
const [MAX_CALLS, MAX_LENGTH] = [4, 40];

/**
 * Calls with one argument, or one item of it, at a boundary: a number at those of the code and next to them, negative, zero,
 * equal to another of the call; a list or text that is empty, has one item, has as many as such a number says, or equal
 * neighbours. None is one of the calls, none occurs twice.
 * @param numbers those that the code, its documentation and its constants name
 */
export function boundaryInputs(calls: readonly Input[], numbers: readonly number[], limit: number): Input[] {
  const keyed = new Map(calls.map(call => [JSON.stringify(call), call]));
  const bases = [...keyed].toSorted(([one], [other]) => one.length - other.length).slice(0, MAX_CALLS);
  const results = new Map<string, Input>();
  for (const [, base] of bases)
    for (const [index, value] of base.entries())
      for (const other of valuesAt(value, numbers, base)) {
        const input = base.with(index, other);
        const key = JSON.stringify(input);
        if (!keyed.has(key) && results.size < limit) results.set(key, input);
      }
  return [...results.values()];
}

function valuesAt(value: Value, numbers: readonly number[], input: Input): readonly Value[] {
  const number = numberOf(value);
  if (typeof value !== 'boolean' && number !== null) return numbersAt(value, numbers, input);
  if (typeof value === 'string') {
    const symbols = Array.from(value);
    return lengthsOf(symbols, numbers).map(each => each.join(''));
  }
  const items = itemsOf(value);
  if (items === null) return [];
  const kind = kindOf(value) as ListKind;
  const isSet = kind === 'set' || kind === 'frozenset';
  const lists = [
    ...lengthsOf(items, isSet ? [] : numbers),
    ...items.flatMap((item, index) =>
      numberOf(item) === null ? [] : numbersAt(item, numbers, items).map(other => items.with(index, other)),
    ),
    ...(isSet ? [] : items.slice(1).map((_, index) => items.with(index + 1, items[index] ?? null))),
  ];
  return lists.map((list): Value => [kind, isSet ? [...new Set(list)] : list]);
}

/** Numbers of the same type: at each boundary, next to it and next to the value, and equal to another of the input. */
function numbersAt(value: Value, numbers: readonly number[], input: readonly Value[]): Value[] {
  const amount = numberOf(value) ?? 0;
  const others = input.flatMap(each => [each, ...partsOf(each)]).flatMap(each => numberOf(each) ?? []);
  const near = [...numbers, amount].flatMap(number => [number, number - 1, number + 1]);
  const all = new Set([...near, 0, -amount, ...others].filter(number => Number.isFinite(number)));
  const isFraction = kindOf(value) === 'float';
  return [...all]
    .filter(number => isFraction || Number.isSafeInteger(number))
    .map(number => (isFraction ? ['float', floatText(number)] : number + 0));
}

function floatText(number: number): string {
  const text = String(number + 0);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** The same items, fewer or more: none, one, and as many as a number says, or one more or less. */
function lengthsOf<Item>(items: readonly Item[], numbers: readonly number[]): (readonly Item[])[] {
  const lengths = numbers.flatMap(number => [number - 1, number, number + 1]);
  const wanted = [0, 1, ...lengths].filter(
    length => Number.isInteger(length) && length >= 0 && length <= MAX_LENGTH,
  );
  const [first] = items;
  return [...new Set(wanted)]
    .filter(length => length === 0 || first !== undefined)
    .map(length => Array.from({ length }, (_, index) => items[index % items.length] as Item));
}
