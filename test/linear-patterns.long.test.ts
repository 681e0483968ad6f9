import { test } from 'vitest';
import { outsidePatterns } from './support/patterns.ts';

/** A quadratic pattern would take minutes for one of these texts, and the test would reach its limit. */
test('patterns run over a mebibyte of each character that they name', { timeout: 300_000 }, () => {
  for (const { source, flags } of outsidePatterns()) {
    const pattern = new RegExp(source, flags);
    for (const letter of lettersOf(source)) pattern.test(`${letter.repeat(2 ** 20)}\0`);
  }
});

function lettersOf(source: string): ReadonlySet<string> {
  return new Set([' ', '\n', 'a', ...source.replaceAll(/\\[a-z]|\w/gi, '').replaceAll('\\', '')]);
}
