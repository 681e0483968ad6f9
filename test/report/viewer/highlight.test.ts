import { expect, test } from 'vitest';
import { languages } from '../../../lib/core/task.ts';
import { diffRows, highlightedLines, markedTokens } from '../../../lib/report/viewer/page/data/highlight.ts';

const python = `def f(a: int) -> str:
    """Of two
    lines & <more>."""
    return f"{a} 'x'"  # why
`;

test.each(languages)('joined tokens of %s are the code, valid or not', language => {
  for (const code of [python, '', '\n\n', 'fn a<T>(x: &T) { "&amp;\\n" }', '"""not closed\n <span>']) {
    const lines = highlightedLines(code, language).map(tokens => tokens.map(({ text }) => text).join(''));
    expect(lines.join('\n')).toBe(code);
  }
});

test('keywords, names, multi-line strings and comments have different kinds', () => {
  const lines = highlightedLines(python, 'python');
  const kindOf = (line: number, text: string) => lines[line]?.find(token => token.text.includes(text))?.kind;
  expect(kindOf(0, 'def')).toBe('hljs-keyword');
  expect(kindOf(0, 'f')).toBeDefined();
  expect(kindOf(1, 'Of two')).toBe('hljs-string');
  expect(kindOf(2, 'lines')).toBe('hljs-string');
  expect(kindOf(3, '# why')).toBe('hljs-comment');
});

test('changed parts keep their colours', () => {
  const [before, after] = ['return a < 1\n', 'return a > 1\n'];
  const row = diffRows(before, after).find(({ kind }) => kind === 'added');
  const tokens = markedTokens(row?.parts ?? [], highlightedLines(after, 'python')[0] ?? []);
  expect(tokens.map(({ text }) => text).join('')).toBe('return a > 1');
  expect(tokens.filter(({ changed }) => changed).map(({ text }) => text)).toEqual(['>']);
  expect(tokens[0]).toEqual({ text: 'return', kind: 'hljs-keyword', changed: false });
});
