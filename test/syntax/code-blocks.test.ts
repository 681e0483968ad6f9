import { expect, test } from 'vitest';
import { codeBlocks, withoutThinking } from '../../lib/syntax/code-blocks.ts';

test('blocks come in order, without their fences', () => {
  expect(codeBlocks('a\n```py\nx = 1\n```\nb\n~~~\ny = 2\n~~~\n')).toEqual(['x = 1', 'y = 2']);
});

test('a fence inside a longer fence is code', () => {
  expect(codeBlocks('````\n```\nx\n```\n````\n')).toEqual(['```\nx\n```']);
});

test('a fence that names a language closes a block left open', () => {
  expect(codeBlocks('```python\nx = 1\n\n```python\nx = 2\n```\n')).toEqual(['x = 1\n', 'x = 2']);
});

test('inline code is no block', () => {
  expect(codeBlocks('Use `f(x)` and ``g``, not more.\n')).toEqual([]);
});

test('empty blocks are none', () => {
  expect(codeBlocks('```python\n```\n')).toEqual([]);
});

test('thinking is left out, with one of its marks missing too', () => {
  expect(withoutThinking('<think>a</think>b<think>c</think>d')).toBe('bd');
  expect(withoutThinking('a</think>b')).toBe('b');
  expect(withoutThinking('b<think>a')).toBe('b');
});
