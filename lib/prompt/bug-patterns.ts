import type { Language } from '../core/task.ts';

/** A few common bugs, each with how a test shows it and how to fix it. */
export function bugPatterns(language: Language): string {
  const patterns = language === 'js' ? javascript : python;
  return ['How such bugs are found:', ...patterns.map(pattern => `- ${pattern}`)].join('\n');
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
