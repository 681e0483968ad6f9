import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodes } from '../../../lib/core/attempt.ts';
import type { Feedback } from '../../../lib/core/choices.ts';
import { languages, type Task } from '../../../lib/core/task.ts';
import { type Verdict, verdictKinds } from '../../../lib/core/verdict.ts';
import type { LastAttempt } from '../../../lib/repair/prompt/prompts.ts';
import { promptOf } from '../../../lib/repair/prompt/prompts.ts';
import { signatureText } from '../../../lib/repair/prompt/task-messages.ts';

const task: Task = {
  id: 'test/total',
  language: 'python',
  entryPoint: 'total',
  declaration:
    'from typing import List\n\n\ndef total(\n    prices: List[float],\n    tax: float = 0.0,\n) -> float:\n',
  docstring: 'The sum of the prices with tax.\n>>> total([1.0, 2.0])\n3.0\n',
  buggy:
    'from typing import List\n\n\ndef total(prices: List[float], tax: float = 0.0) -> float:\n    return sum(prices)\n',
  canonical: 'CANONICAL',
  tests: 'assert total([1.0], 0.5) == 1.5  # HIDDEN\nassert total([]) == 0.0\n',
  exampleTests: 'assert total([1.0, 2.0]) == 3.0\n',
  bugType: 'missing logic',
};

const failed: Verdict = {
  kind: 'failed',
  message: 'total([1.0], 0.5) returned 1.0, but the tests want 1.5.',
  test: { line: 1, source: 'assert total([1.0], 0.5) == 1.5  # HIDDEN' },
  expected: '1.5',
  actual: '1.0',
};
const candidate = 'def total(prices, tax=0.0):\n    return sum(prices)\n';
const last = (verdict: Verdict | null): LastAttempt => ({ candidate, completion: 'Well.', verdict });

function textOf(node: (typeof nodes)[number], given: LastAttempt, feedback: Feedback = 'tests'): string {
  return promptOf(node, task, given, { feedback })
    .map(({ role, content }) => `[${role}]\n${content}\n`)
    .join('');
}

describe('the prompts', () => {
  test('propose, after a diagnosis', () => {
    const diagnosis = { completion: '<think>Hm.</think>The tax is left out.' } as LastAttempt['diagnosis'];
    expect(textOf('propose', { ...last(failed), diagnosis })).toMatchSnapshot();
  });

  test('diagnose', () => {
    expect(textOf('diagnose', last(failed))).toMatchSnapshot();
  });

  test('draft', () => {
    expect(textOf('draft', last(failed))).toMatchSnapshot();
  });

  test('reflect', () => {
    expect(textOf('reflect', last(failed))).toMatchSnapshot();
  });

  test('repeat', () => {
    expect(textOf('repeat', last(failed))).toMatchSnapshot();
  });

  test('syntax', () => {
    const exception = { type: 'SyntaxError', message: 'invalid syntax', line: 2 };
    expect(textOf('syntax', last({ kind: 'syntax', message: '', exception }))).toMatchSnapshot();
  });
});

const verdicts = fc.record(
  {
    kind: fc.constantFrom(...verdictKinds),
    message: fc.string(),
    test: fc.record({ line: fc.nat(), source: fc.string() }),
    expected: fc.string(),
    actual: fc.string(),
    exception: fc.record({ type: fc.string(), message: fc.string(), line: fc.nat() }),
  },
  { requiredKeys: ['kind', 'message'] },
);

test('every prompt of a task starts with the same messages, byte for byte', () => {
  const attempts = fc.record({
    verdict: verdicts,
    completion: fc.string(),
    candidate: fc.option(fc.string()),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...nodes),
      fc.constantFrom(...languages),
      fc.constantFrom<Feedback>('tests', 'examples', 'none'),
      attempts,
      (node, language, feedback, attempt) => {
        const given = { ...task, language };
        const draft = promptOf('draft', given, undefined, { feedback });
        const prompt = promptOf(node, given, attempt, { feedback });
        expect(prompt.slice(0, draft.length)).toEqual(draft);
        expect(draft.map(({ role }) => role)).toEqual(['system', 'user']);
        expect(prompt.slice(2).map(({ role }) => role)).toEqual(
          node === 'draft' ? [] : ['assistant', 'user'],
        );
        expect(prompt.every(({ content }) => content.trim() !== '')).toBe(true);
      },
    ),
  );
});

test('the draft shows neither the tests nor the solution', () => {
  const text = textOf('draft', last(failed));
  expect(text).not.toContain('HIDDEN');
  expect(text).not.toContain('CANONICAL');
  expect(text).not.toContain('assert');
});

describe('feedback', () => {
  test('tests: the failing line, the expected and the actual value, and no other line', () => {
    const text = textOf('reflect', last(failed));
    expect(text).toContain('assert total([1.0], 0.5) == 1.5');
    expect(text).toContain('Expected: 1.5\nGot: 1.0');
    expect(text).not.toContain('assert total([]) == 0.0');
  });

  test.each(['reflect', 'repeat', 'propose', 'diagnose'] as const)(
    'examples: nothing of a hidden test, in %s',
    node => {
      const text = textOf(node, last(failed), 'examples');
      expect(text).not.toContain('HIDDEN');
      expect(text).not.toContain('1.5');
      const shown = textOf(
        node,
        last({ ...failed, test: { line: 1, source: 'assert total([1.0, 2.0]) == 3.0' } }),
        'examples',
      );
      expect(shown).toContain('assert total([1.0, 2.0]) == 3.0');
    },
  );

  test.each(['reflect', 'repeat', 'propose', 'diagnose'] as const)(
    'none: nothing of any test, in %s',
    node => {
      const verdict = { ...failed, test: { line: 1, source: 'assert total([1.0, 2.0]) == 3.0' } };
      const text = textOf(node, last(verdict), 'none');
      expect(text).not.toContain('assert');
      expect(text).not.toContain('1.5');
    },
  );
});

test('a candidate that was not run is not called wrong, but the unfixed bug is', () => {
  for (const node of ['reflect', 'propose', 'diagnose'] as const) {
    const text = textOf(node, last(null), 'none');
    expect(text).toContain('It may still have a bug.');
    expect(text).not.toContain('not right');
  }
  expect(textOf('repeat', last(null), 'none')).toContain('This is still the function with the bug');
});

test('a verdict without an assertion is one line', () => {
  const exception = { type: 'KeyError', message: "'a'", line: 2 };
  expect(textOf('reflect', last({ kind: 'raised', message: '', exception }))).toContain(
    "It raised KeyError in line 2 of your code: 'a'\n",
  );
  expect(textOf('reflect', last({ kind: 'timeout', message: '' }))).toContain('It took too long');
  expect(textOf('reflect', last({ kind: 'memory', message: '' }))).toContain('too much memory');
  expect(
    textOf('reflect', last({ kind: 'not-serializable', message: 'It returned an open file.' })),
  ).toContain('It returned an open file.');
});

test('a test that calls the function by another name is shown with the call', () => {
  const verdict = { ...failed, test: { line: 1, source: 'assert candidate(*case) == wanted' } };
  expect(textOf('reflect', last(verdict))).toContain(
    'assert candidate(*case) == wanted\ntotal([1.0], 0.5) returned 1.0, but the tests want 1.5.\n',
  );
});

test('long values are shortened to keep the prompt short', () => {
  const text = textOf('reflect', last({ ...failed, actual: '9'.repeat(10_000) }));
  expect(text).toContain(`Got: ${'9'.repeat(200)}…`);
  expect(text.length).toBeLessThan(1200);
});

test('an answer without code is quoted briefly', () => {
  const verdict: Verdict = { kind: 'no-code', message: '' };
  const quote = (completion: string) =>
    promptOf('syntax', task, { candidate: null, completion, verdict }, { feedback: 'tests' })[2]?.content;
  expect(quote('Hm.\n')).toBe('Hm.');
  expect(quote(' ')).toBe('(no answer)');
  expect(quote('<think>def f(): return 1')).toBe('(no answer)');
  expect(quote('la '.repeat(500))).toHaveLength(301);
});

test('code that contains a fence gets a longer one', () => {
  const given = { ...task, buggy: 'def f():\n    """\n    ```\n    """\n' };
  const text = promptOf('draft', given, undefined, { feedback: 'tests' })[1]?.content;
  expect(text).toContain('````python\ndef f():');
});

test('the signature is one line, in every language', () => {
  const of = (declaration: string, entryPoint: string) => signatureText({ ...task, declaration, entryPoint });
  expect(signatureText(task)).toBe('def total(prices: List[float], tax: float = 0.0) -> float');
  expect(of('import a\n\ndef helper(f):\n    return f\n\nasync def f(x):\n', 'f')).toBe('async def f(x)');
  expect(of('const f = (a, b) => {\n', 'f')).toBe('const f = (a, b)');
  expect(of('function $f(a) {\n', '$f')).toBe('function $f(a)');
  expect(of('vector<int> f(vector<int> a){\n', 'f')).toBe('vector<int> f(vector<int> a)');
  expect(of('fn f(a: &str) -> i32{\n', 'f')).toBe('fn f(a: &str) -> i32');
  expect(of('class Solution {\n    public int f(int a) {\n', 'f')).toBe('public int f(int a)');
});

describe('how many assertions pass', () => {
  const other = { line: 2, source: 'assert total([]) == 0.0' };
  const decided = { line: 1, source: 'assert total([1.0], 0.5) == 1.5  # HIDDEN' };
  const counts = { passed: 5, failed: 2, failing: [decided, other] };
  const remark = (given: Partial<LastAttempt>, options: Parameters<typeof promptOf>[3]) =>
    promptOf('reflect', task, { ...last(failed), ...given }, options).at(-1)?.content ?? '';

  test('is told with the first that fails, and others', () => {
    expect(remark({ counts }, { feedback: 'tests' })).toBe(
      [
        'That is not right yet. 5 of 7 assertions pass; the first that fails is:',
        decided.source,
        'Expected: 1.5',
        'Got: 1.0',
        'These fail too:',
        other.source,
        '',
        'Fix `total` and answer with the whole function.',
      ].join('\n'),
    );
  });

  test('is told apart from a test that fails in another way', () => {
    const only = { counts: { passed: 5, failed: 1, failing: [other], partial: true as const } };
    expect(remark(only, { feedback: 'tests' })).toContain(
      `5 of 6 reached assertions pass. This test fails:\n${decided.source}\nExpected: 1.5`,
    );
  });

  test('counts tests of a project, not assertions', () => {
    const failing = ['test_total', 'test_empty'].map(source => ({ line: 0, source }));
    const text = remark({ counts: { passed: 5, failed: 2, failing, unit: 'tests' } }, { feedback: 'tests' });
    expect(text).toContain(`5 of 7 tests pass. This test fails:\n${decided.source}\n`);
    expect(text).toContain('These fail too:\ntest_empty\n\n');
  });

  test('is not told where the tests are not the feedback, or to models that write edits', () => {
    for (const options of [
      { feedback: 'examples' },
      { feedback: 'none' },
      { feedback: 'tests', answer: 'edit' },
    ] as const)
      expect(remark({ counts }, options)).toBe(remark({}, options));
  });

  test('the model is told that the answers after the best one were worse', () => {
    expect(remark({ counts, later: 1 }, { feedback: 'tests' })).toContain('The answer after it was worse.');
    expect(remark({ counts, later: 3 }, { feedback: 'tests' })).toContain(
      'The 3 answers after it were worse.',
    );
  });
});
