import { expect, test } from 'vitest';
import { printable, printableJson, printableLines } from '../../lib/core/text.ts';

const foreign: ReadonlyArray<readonly [what: string, text: string, line: string, lines: string]> = [
  ['plain text', 'Zürich 例 👩‍🚀', 'Zürich 例 👩‍🚀', 'Zürich 例 👩‍🚀'],
  ['colours', '\u001b[31mred', '\\x1b[31mred', '\\x1b[31mred'],
  ['a title', '\u001b]0;x\u0007', '\\x1b]0;x\\x07', '\\x1b]0;x\\x07'],
  ['CSI of one character', '\u009b2J', '\\x9b2J', '\\x9b2J'],
  ['another line', 'a\n[9/9] b passed', 'a\\n[9/9] b passed', 'a\n[9/9] b passed'],
  ['the same line again', 'a\rb', 'a\\rb', 'a\\rb'],
  ['a tab', 'a\tb', 'a\\tb', 'a\tb'],
  ['backspaces', 'a\b\b', 'a\\x08\\x08', 'a\\x08\\x08'],
  ['a letter that turns the others around', 'a\u202eb', 'a\\u202eb', 'a\\u202eb'],
  ['an isolate', '\u2066a\u2069', '\\u2066a\\u2069', '\\u2066a\\u2069'],
  ['marks of direction', '\u200fa\u061c', '\\u200fa\\u061c', '\\u200fa\\u061c'],
  ['other ends of lines', 'a\u2028b\u0085c', 'a\\u2028b\\x85c', 'a\\u2028b\\x85c'],
  ['half a letter', 'a\ud83d', 'a\\ud83d', 'a\\ud83d'],
  ['nothing', '\u0000\u007f', '\\x00\\x7f', '\\x00\\x7f'],
];

test.each(foreign)('%s cannot control a terminal', (_, text, line, lines) => {
  expect(printable(text)).toBe(line);
  expect(printableLines(text)).toBe(lines);
  const json = printableJson({ text });
  expect(json).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(JSON.parse(json)).toEqual({ text });
});
