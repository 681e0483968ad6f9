import { expect, test } from 'vitest';
import type { GenerateRequest, TextModel } from '../../../lib/core/ports.ts';
import type { Task } from '../../../lib/core/task.ts';
import { knowingProject } from '../../../lib/fix/model/project-writer.ts';
import { sampledAnswers } from '../../../lib/fix/model/sampled-answers.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const task: Task = {
  id: 'shop.py::total',
  language: 'python',
  entryPoint: 'total',
  declaration: 'def total(prices):\n',
  docstring: 'Add all prices.',
  buggy: 'def total(prices):\n    return sum(prices[1:])\n',
  canonical: '',
  tests: '',
  exampleTests: '',
  bugType: null,
};
const failing = {
  id: 'test_shop.py::test_total',
  outcome: 'failed',
  type: 'AssertionError',
  test: { line: 4, source: 'assert total([2, 3]) == 5' },
  expected: '5',
  actual: '3',
} as const;
const fixed = 'def total(prices):\n    return sum(prices)';

test('samples whole functions without duplicates and docstrings, with the failing test in the prompt', async () => {
  const answers = [
    'I cannot say.',
    '```python\ndef total(prices):\n    result = 0\n    for price in prices:\n        result += price\n    return result\n```',
    `\`\`\`python\nimport os\n\ndef total(prices):\n    """Add all prices."""\n    return sum(prices)\n\nprint(total([1]))\n\`\`\``,
    `\`\`\`python\n${fixed}\n\`\`\``,
  ];
  const requests: GenerateRequest[] = [];
  const model: TextModel = {
    name: 'writer',
    fingerprint: 'writer',
    async generate(request) {
      requests.push(request);
      const text = answers[requests.length - 1] ?? '';
      return { text, promptTokens: 1, completionTokens: 1, finish: 'stop' };
    },
    async close() {},
  };
  const called = 'def rounded(price):';
  const calls = 'till.py:9: return total(basket)';
  const traceback = 'test_shop.py:4: assert total([2, 3]) == 5\nshop.py:2: return sum(prices[1:])';
  const candidates = await sampledAnswers(task, {
    model: knowingProject(model, { language: 'python', failing, called, calls, traceback }),
    parser: await openParser('python'),
    options: { candidates: 4, temperature: null, maxNewTokens: 100, seed: 7 },
    signal: new AbortController().signal,
  });
  // The one that changes least comes first.
  expect(candidates).toEqual([answers[2], answers[1]]);
  expect(requests.map(({ temperature, seed }) => [temperature, seed])).toEqual([
    [0, 7],
    [0.8, 8],
    [0.8, 9],
    [0.8, 10],
  ]);
  const prompt = requests[0]?.messages.at(-1)?.content;
  expect(prompt).toContain('The test test_shop.py::test_total fails with AssertionError');
  expect(prompt).toContain('It calls these functions of the file:\n```python\ndef rounded(price):');
  expect(prompt).toContain('It is called here:\n```python\ntill.py:9: return total(basket)');
  expect(prompt).toContain('assert total([2, 3]) == 5');
  expect(prompt).toContain(
    'innermost line last:\n```python\ntest_shop.py:4: assert total([2, 3]) == 5\nshop.py:2: return',
  );
  expect(prompt).toContain('Expected: 5\nActual: 3');
});
