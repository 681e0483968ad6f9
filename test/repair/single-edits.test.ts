import { beforeAll, describe, expect, test } from 'vitest';
import type { Language, Task } from '../../lib/core/task.ts';
import { editPairs } from '../../lib/repair/actors/combine.ts';
import { answerOf, programIn, singleEdits } from '../../lib/repair/candidates.ts';
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

  test('all are written as edits that make them', () => {
    const parser = parsers.python;
    if (!parser) return expect.unreachable();
    const codes = found(singleEdits(parser, task, 200));
    expect(codes.length).toBeGreaterThan(50);
    for (const code of codes) expect(programIn(parser, task, answerOf(task, { code }))).toBe(code);
  });

  /** Answers of the model, and the pairs of them as answers. */
  function pairsOf(answers: readonly string[], assertionsPassed: readonly number[], limit: number): string[] {
    const parser = parsers.python;
    if (!parser) return expect.unreachable();
    const candidates = answers.map(answer => ({ answer, code: programIn(parser, task, answer) }));
    const pairs = found(editPairs(parser, task, candidates, assertionsPassed, limit));
    for (const pair of pairs) expect(programIn(parser, task, answerOf(task, pair))).toBe(pair.code);
    return pairs.map(pair => answerOf(task, pair));
  }

  test('pairs change different positions, in the order of passed assertions', () => {
    const edits = ['@2\n--\n++', '@3\n-2\n+3', '@2\n-b\n+1'];
    expect(pairsOf(edits, [0, 1, 1], 5)).toEqual([
      '@2\n-b\n+1\n@3\n-2\n+3',
      '@2\n--\n++\n@3\n-2\n+3',
      '@2\n-- b\n++ 1',
    ]);
    expect(pairsOf(edits, [], 1)).toEqual(['@2\n--\n++\n@3\n-2\n+3']);
  });

  test('two changes at the same position are not a pair, nor is the result of a single edit', () => {
    expect(pairsOf(['@2\n--\n++', '@2\n--\n+*'], [], 5)).toEqual([]);
    expect(pairsOf(['@2\n--\n++', '@2\n-b\n+1', '@2\n-- b\n++ 1'], [], 9)).toEqual([]);
  });

  test('a whole function is no part of a pair', () => {
    const whole = 'def f(a, b):\n    c = a * b\n    return c * 2\n';
    expect(pairsOf(['@2\n--\n++', whole, '@3\n-2\n+3'], [], 9)).toEqual(['@2\n--\n++\n@3\n-2\n+3']);
  });
});
