import { expect, test } from 'vitest';
import { outsidePatterns } from './support/patterns.ts';

/** Linear patterns take less than a millisecond for this; quadratic ones half a second and more. */
const LENGTH = 2 ** 15;
const SLOW_MS = 150;

test('patterns take linear time on repeats of one, two and three of the characters that they name', {
  timeout: 300_000,
}, () => {
  const slow = outsidePatterns().flatMap(({ path, source, flags }) => {
    const pattern = new RegExp(source, flags);
    const unit = unitsOf(source).find(each => isSlow(pattern, each));
    return unit === undefined ? [] : [`${path}: /${source}/${flags} on ${JSON.stringify(unit)}`];
  });
  expect(slow).toEqual([]);
});

test('a pattern that is slow on two characters only is recognised', () => {
  const source = '(?:ab)*c';
  expect(unitsOf(source).filter(unit => isSlow(new RegExp(source), unit))).toContain('ab');
  expect(isSlow(new RegExp(source), 'a')).toBe(false);
});

/** In the best of three runs, so that a busy machine does not count. */
function isSlow(pattern: RegExp, unit: string): boolean {
  const text = `${unit.repeat(LENGTH / unit.length)}\0`;
  return [1, 2, 3].every(() => {
    pattern.lastIndex = 0;
    const started = performance.now();
    pattern.test(text);
    return performance.now() - started > SLOW_MS;
  });
}

/** All sequences of at most three letters, of the most telling letters where there are many. */
function unitsOf(source: string): readonly string[] {
  const letters = lettersOf(source);
  const some = letters.slice(0, LETTERS_IN_PAIRS);
  const pairs = some.flatMap(a => some.filter(b => b !== a).map(b => a + b));
  const few = letters.slice(0, LETTERS_IN_TRIPLES);
  const triples = pairs.flatMap(pair => few.filter(c => !pair.endsWith(c)).map(c => pair + c));
  return [...letters, ...pairs, ...triples.filter(([a = '', b = '']) => few.includes(a) && few.includes(b))];
}

const LETTERS_IN_PAIRS = 12;
const LETTERS_IN_TRIPLES = 6;

/** What the pattern names first: signs and letters of its own words, then those of its classes. */
function lettersOf(source: string): readonly string[] {
  const named = source.replaceAll(/\\[a-zA-Z]|\[\^?|[\]\\?*+|(){}$^.]/g, ' ');
  const escaped = [...source.matchAll(/\\([^a-zA-Z\d])/g)].map(([, sign = '']) => sign);
  return [...new Set([...escaped, ...named.replaceAll(' ', ''), ' ', '\n', 'a', '0'])];
}
