import { expect, test } from 'vitest';
import { codeBlocks, withoutThinking } from '../../lib/syntax/code-blocks.ts';

test('returns blocks in order, without fences', () => {
  expect(codeBlocks('a\n```py\nx = 1\n```\nb\n~~~\ny = 2\n~~~\n')).toEqual(['x = 1', 'y = 2']);
});

test('a fence inside a longer fence is code', () => {
  expect(codeBlocks('````\n```\nx\n```\n````\n')).toEqual(['```\nx\n```']);
});

test('a fence with a language closes an open block', () => {
  expect(codeBlocks('```python\nx = 1\n\n```python\nx = 2\n```\n')).toEqual(['x = 1\n', 'x = 2']);
});

test('inline code is not a block', () => {
  expect(codeBlocks('Use `f(x)` and ``g``, not more.\n')).toEqual([]);
});

test('empty blocks are left out', () => {
  expect(codeBlocks('```python\n```\n')).toEqual([]);
});

test('thoughts are left out, even with one marker missing', () => {
  expect(withoutThinking('<think>a</think>b<think>c</think>d')).toBe('bd');
  expect(withoutThinking('a</think>b')).toBe('b');
  expect(withoutThinking('b<think>a')).toBe('b');
});

test('a fence at the end of a line of a docstring is code', () => {
  const code = 'def f():\n    """Call it so: ```\n    f()\n    ```\n    """\n    return 1';
  expect(codeBlocks(`Here:\n\`\`\`python\n${code}\n\`\`\`\nDone.`)).toEqual([code]);
  const twice = `Here:\n\`\`\`python\n${code}\n\`\`\`\nThen:\n\`\`\`python\nx = 1\n\`\`\`\n`;
  expect(codeBlocks(twice)).toEqual([code, 'x = 1']);
});

test('a fence at the end of a line of code closes a block that nothing else closes', () => {
  expect(codeBlocks('```python\nx = 1```\nThat is all.')).toEqual(['x = 1']);
  expect(codeBlocks('```python\nx = 1```\nThen:\n```\ny = 2\n```\n')).toEqual(['x = 1', 'y = 2']);
});
