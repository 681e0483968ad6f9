import { z } from 'zod';

/**
 * Checks of single options, which come as text from the command line or typed from code. Each check's message
 * is the expected form, for «--iters is "abc", expected …».
 */

export function text(expected: string) {
  return z.string({ error: expected }).refine(value => value.trim() !== '', { error: expected });
}

export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  const [only, ...others] = values;
  const expected = others.length === 0 ? `"${only}"` : `one of ${values.join(', ')}`;
  return z.enum(values, { error: expected });
}

export function wholeNumber(min: number, max: number) {
  const expected = `a whole number from ${min} to ${max}`;
  return number(expected, value => Number.isSafeInteger(value) && value >= min && value <= max);
}

export function number(expected: string, holds: (value: number) => boolean) {
  const checked = z.custom<number>(value => typeof value === 'number' && holds(value), { error: expected });
  return z.preprocess(value => (typeof value === 'string' ? decimal(value) : value), checked);
}

/**
 * The number that a text spells in decimal, otherwise the text itself; "", " 3", "0x10" and "1e3" are not
 * decimals.
 */
function decimal(value: string): number | string {
  return /^[+-]?(\d+(?:\.\d*)?|\.\d+)$/.test(value) ? Number(value) : value;
}

/** `2/8`: the second of eight parts of the tasks. */
export function shard() {
  const expected = 'i/n, such as 1/4 for the first of four parts';
  const holds = (value: string) => {
    const [index, count] = partsOf(value);
    return /^\d+\/\d+$/.test(value) && index >= 1 && index <= count && count <= 10_000;
  };
  return z.string({ error: expected }).refine(holds, { error: expected });
}

/** The 1-based index of a part, and the number of parts. */
export function partsOf(shard: string): readonly [number, number] {
  const [index, count] = shard.split('/').map(Number);
  return [index ?? Number.NaN, count ?? Number.NaN];
}

export function flag() {
  return z.boolean({ error: 'no value' }).default(false);
}
