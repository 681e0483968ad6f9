import type { Language } from '../../core/task.ts';

/** A few common bugs, each with how a test shows it and how to fix it. */
export function bugPatterns(language: Language): string {
  return ['How such bugs are found:', ...patternsOf[language].map(pattern => `- ${pattern}`)].join('\n');
}

const python = [
  'Expected 6, got 3 for `weigh([1, 2, 3])`: `for i in range(len(crates) - 1)` leaves out the last crate. Fix: `range(len(crates))`.',
  'Expected True, got False at the limit itself: `if speed < limit` should be `if speed <= limit`.',
  'The second call remembers the first: `def log(line, lines=[])` shares one list. Fix: `lines=None`, then `lines = [] if lines is None else lines`.',
  'Expected 2, got 2.5: `total / days` should be `total // days`.',
  'It raised IndexError for `[]`: `queue[0]` is read before the empty list is handled. Fix: return early if not queue.',
];

const javascript = [
  'Expected 6, got 3 for `weigh([1, 2, 3])`: `for (let i = 0; i < crates.length - 1; i++)` leaves out the last crate. Fix: `i < crates.length`.',
  'Expected true, got false at the limit itself: `speed < limit` should be `speed <= limit`.',
  'Expected [2, 10], got [10, 2]: `sort()` compares text. Fix: `sort((a, b) => a - b)`.',
  'Expected 2, got 2.5: `total / days` should be `Math.floor(total / days)`.',
  'It raised TypeError for `[]`: `queue[0].name` is read before the empty array is handled. Fix: return early if it is empty.',
];

const go = [
  'Expected 6, got 3 for `Weigh([]int{1, 2, 3})`: `for i := 0; i < len(crates)-1; i++` leaves out the last crate. Fix: `i < len(crates)`.',
  'Expected true, got false at the limit itself: `speed < limit` should be `speed <= limit`.',
  'Expected 2.5, got 2: `float64(total / days)` divides whole numbers. Fix: `float64(total) / float64(days)`.',
  "The caller's slice changed: `sort.Ints(scores)` sorts the given one. Fix: sort `append([]int{}, scores...)`.",
  'It panicked for `[]string{}`: `queue[0]` is read before the empty slice is handled. Fix: return early if `len(queue) == 0`.',
];

const rust = [
  'Expected 6, got 3 for `weigh(vec![1, 2, 3])`: `0..crates.len() - 1` leaves out the last crate. Fix: `0..crates.len()`.',
  'Expected true, got false at the limit itself: `speed < limit` should be `speed <= limit`.',
  'Expected 2.5, got 2.0: `(total / days) as f64` divides whole numbers. Fix: `total as f64 / days as f64`.',
  'Expected 5, got -1 for `-1`: `%` keeps the sign. Fix: `rem_euclid`.',
  'It panicked with «attempt to subtract with overflow»: `older - newer` on unsigned numbers. Fix: `older.abs_diff(newer)`.',
];

const cpp = [
  'Expected 6, got 3 for `weigh({1, 2, 3})`: `i < crates.size() - 1` leaves out the last crate, and never ends for none. Fix: `i < crates.size()`.',
  'Expected true, got false at the limit itself: `speed < limit` should be `speed <= limit`.',
  'Expected 2.5, got 2: `total / days` divides whole numbers. Fix: `static_cast<double>(total) / days`.',
  'Expected a large number, got a negative one: the sum overflows `int`. Fix: `long long`.',
  'It crashed for `{}`: `queue.front()` is read before the empty vector is handled. Fix: return early if `queue.empty()`.',
];

const java = [
  'Expected 6, got 3 for `weigh(List.of(1, 2, 3))`: `i < crates.size() - 1` leaves out the last crate. Fix: `i < crates.size()`.',
  'Expected true, got false at the limit itself: `speed < limit` should be `speed <= limit`.',
  'Expected true, got false for equal texts: `name == other` compares references. Fix: `name.equals(other)`.',
  'Expected 2.5, got 2.0: `total / days` divides whole numbers. Fix: `(double) total / days`.',
  'It threw IndexOutOfBoundsException for an empty list: `queue.get(0)` is read first. Fix: return early if `queue.isEmpty()`.',
];

const patternsOf: Readonly<Record<Language, readonly string[]>> = {
  python,
  js: javascript,
  go,
  rust,
  cpp,
  java,
};
