import { beforeAll, describe, expect, test } from 'vitest';
import type { Language, Task } from '../../lib/core/task.ts';
import { readEdits } from '../../lib/edits/edit-answer.ts';
import { applyEdits } from '../../lib/edits/edit-apply.ts';
import { shownCode } from '../../lib/prompt/fence.ts';

import { editPairs } from '../../lib/repair/actors/combine.ts';
import { singleEdits } from '../../lib/repair/enumerate/single-edits.ts';
import { openParser, type SyntaxParser } from '../../lib/syntax/parser.ts';

const parsers: Partial<Record<Language, SyntaxParser>> = {};
beforeAll(async () => {
  parsers.python = await openParser('python');
});

function found<T>(yielded: Iterable<T | null>): T[] {
  return [...yielded].filter(value => value !== null);
}

describe('edits as answers', () => {
  const task: Task = {
    id: 't',
    language: 'python',
    entryPoint: 'f',
    declaration: 'def f(a, b):\n',
    docstring: '',
    buggy: 'def f(a, b):\n    c = a - b\n    return c * 2\n',
    canonical: '',
    tests: '',
    exampleTests: '',
    bugType: null,
  };

  test('all apply to the code', () => {
    const parser = parsers.python;
    if (!parser) return expect.unreachable();
    const edits = found(singleEdits(parser, task, 200));
    expect(edits.length).toBeGreaterThan(50);
    for (const edit of edits)
      expect(applyEdits(shownCode(task.buggy), readEdits(edit))).toHaveProperty('code');
  });

  test('pairs change different positions, in the order of passed assertions', () => {
    const parser = parsers.python;
    if (!parser) return expect.unreachable();
    const edits = ['@2\n--\n++', '@3\n-2\n+3', '@2\n-b\n+1'];
    expect(found(editPairs(parser, task, edits, [0, 1, 1], 5))).toEqual([
      '@2\n-b\n+1\n@3\n-2\n+3',
      '@2\n--\n++\n@3\n-2\n+3',
      '@2\n-- b\n++ 1',
    ]);
    expect(found(editPairs(parser, task, edits, [], 1))).toEqual(['@2\n--\n++\n@3\n-2\n+3']);
  });

  test('two changes at the same position are not a pair, nor is the result of a single edit', () => {
    const parser = parsers.python;
    if (!parser) return expect.unreachable();
    expect(found(editPairs(parser, task, ['@2\n--\n++', '@2\n--\n+*'], [], 5))).toEqual([]);
    const edits = ['@2\n--\n++', '@2\n-b\n+1', '@2\n-- b\n++ 1'];
    expect(found(editPairs(parser, task, edits, [], 9))).toEqual([]);
  });
});
