import { expect, test } from 'vitest';
import type { EndRule } from '../../../lib/model/generate/answer-end.ts';
import * as answers from '../../../lib/model/generate/answer-end.ts';

const cases: [EndRule, string, string, string][] = [
  ['fence', 'after the closing line', 'Here:\n```python\ndef f():\n    return 1\n```', '\nIt adds.'],
  ['fence', 'not at a shorter fence inside', '````\n```\nx\n```\n````', '\nmore'],
  ['fence', 'of tildes', '~~~py\nx = "```"\n~~~', '\n'],
  ['body', 'before an unindented line', 'def f():\n    return 1\n\n', 'print(f())\n'],
  ['body', 'after a signature over several lines', 'def f(\n    a,\n) -> int:\n    return a\n', '# test\n'],
  ['body', 'after a list over several lines', 'def f():\n    return [\n1,\n'.replace('\n1', '\n    1'), 'x'],
  ['body', 'before a fence', '    return 1\n', '```\n'],
  ['fence', 'not in a thought', '<think>\n```\nx = 0\n```\n</think>\n\n```\nx = 1\n```', '\nmore'],
  ['body', 'not in a thought', '\n<think>\nf:\n    return 0\nno\n</think>def f():\n    return 1\n', 'f()'],
];

test.each(cases)('%s: %s', (rule, _, kept, rest) => {
  const text = kept + rest;
  expect(answerEnd(rule, '', text)).toBe(kept.length);
  // While the text arrives in pieces, it does not end before that.
  for (let length = 0; length < kept.length; length++) {
    expect(answerEnd(rule, '', text.slice(0, length))).toBe(-1);
  }
});

test('a block in the prompt is a quotation', () => {
  const asked = 'Repair this:\n```python\ndef f():\n    return 0\n```';
  const quoted = 'The bug:\n```\ndef f():\n    return 0\n```\nRepaired:\n';
  const repaired = '```\ndef f():\n    return 1\n```';
  expect(answerEnd('fence', '', quoted, asked)).toBe(-1);
  expect(answerEnd('fence', '', `${quoted}${repaired}\nDone.`, asked)).toBe(quoted.length + repaired.length);
});

test('a prefill counts as the beginning of the answer, but cannot end it', () => {
  expect(answerEnd('fence', '```python\n', 'x = 1\n```\nmore')).toBe(9);
  expect(answerEnd('body', 'def f():\n    ', 'return 1\nf()')).toBe(9);
  expect(answerEnd('fence', '```\nx\n```\n', 'more')).toBe(-1);
  expect(answerEnd('fence', '<think>\n', '```\nx\n```\n')).toBe(-1);
  expect(answerEnd('fence', '<think>\n', 'so\n</think>\n```\nx\n```\n')).toBe(21);
});

test('an answer without a fence or a body continues', () => {
  expect(answerEnd('fence', '', 'def f():\n    return 1\n\nx')).toBe(-1);
  expect(answerEnd('body', '', 'import re\n\nx = 1\n')).toBe(-1);
});

function answerEnd(rule: EndRule, before: string, text: string, asked = ''): number {
  return answers.answerEnd(rule, { before, text, asked });
}
