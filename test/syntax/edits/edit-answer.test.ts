import { expect, test } from 'vitest';
import {
  applyEdits,
  canonicalEdits,
  editOutline,
  editText,
  readEdits,
} from '../../../lib/syntax/edits/edits.ts';

const code = `def tally(words, least=1):
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1

    return {word: n for word, n in counts.items() if n > least}`;

test('every completion that it allows is an edit that fits the code', () => {
  const outline = editOutline(code);
  expect(outline?.beginnings.length).toBeGreaterThan(200);
  for (const beginning of outline?.beginnings ?? []) {
    const answer = beginning.endsWith('@') ? beginning.slice(0, -2) : `${beginning}    zebra`;
    expect(applyEdits(code, readEdits(answer)), answer).toHaveProperty('code');
  }
  for (const answer of outline?.whole ?? []) {
    expect(applyEdits(code, readEdits(answer)), answer).toHaveProperty('code');
  }
});

const right = [
  code.replace('n > least', 'n >= least'),
  code.replace(', 0) + 1', ', 0) + 2'),
  code.replace('counts = {}\n', 'counts = dict()\n    total = 0\n'),
  code.replace('    for word in words:\n', '    for word in words:\n        word = word.lower()\n'),
  code.replace('        counts[word] =', '    counts[word] ='),
  code.replace('    counts = {}\n', ''),
  code.replace('counts.items()', 'sorted(counts.items())'),
  `${code}\n# end`,
];

test.each(right)('allows the edits that models are trained on: %#', after => {
  const answer = editText(canonicalEdits(code, after));
  expect(applyEdits(code, readEdits(answer))).toEqual({ code: after });
  const { beginnings = [], whole = [] } = editOutline(code) ?? {};
  expect(whole.includes(answer) || beginnings.some(beginning => answer.startsWith(beginning))).toBe(true);
});

test('does not exist for code with many long lines', () => {
  const line = `    total = ${Array.from({ length: 30 }, (_, n) => `x${n}`).join(' + ')}`;
  expect(editOutline(Array.from({ length: 40 }, () => line).join('\n'))).toBeNull();
});
