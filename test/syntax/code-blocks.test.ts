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
