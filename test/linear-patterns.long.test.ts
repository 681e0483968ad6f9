import { expect, test } from 'vitest';
import { outsidePatterns } from './support/patterns.ts';

/** Quadratic patterns take eight milliseconds and more for this; most linear ones less than a tenth of one. */
const LENGTH = 2 ** 12;
const SUSPECT_MS = 2;
/** Times that a text four times as long may take: linear patterns four times, quadratic ones sixteen. */
const MOST_GROWTH = 8;

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
  expect(unitsOf(source)).toContain('ab');
  expect(isSlow(new RegExp(source), 'ab')).toBe(true);
  expect(isSlow(new RegExp(source), 'a')).toBe(false);
});

/** Whether a long text takes long and one four times as long more than linear time allows. */
function isSlow(pattern: RegExp, unit: string): boolean {
  const first = quickestMs(pattern, unit, LENGTH, SUSPECT_MS);
  if (first < SUSPECT_MS) return false;
  const most = MOST_GROWTH * first;
  return quickestMs(pattern, unit, 4 * LENGTH, most) > most;
}

/** Processor time, so that other work does not count: the shortest of three runs, or the first that is short enough. */
function quickestMs(pattern: RegExp, unit: string, length: number, enough: number): number {
  const text = `${unit.repeat(length / unit.length)}\0`;
  let quickest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && quickest >= enough; run++) {
    pattern.lastIndex = 0;
    const started = process.cpuUsage();
    pattern.test(text);
    const { user, system } = process.cpuUsage(started);
    quickest = Math.min(quickest, (user + system) / 1000);
  }
  return quickest;
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
