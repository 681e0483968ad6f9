import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Task } from '../../../lib/core/task.ts';
import { promptOf } from '../../../lib/repair/prompt/prompts.ts';
import {
  applyEdits,
  canonicalEdits,
  type Edit,
  editText,
  readEdits,
} from '../../../lib/syntax/edits/edits.ts';

const code = 'def f(a, b):\n    total = a - b\n\n    return total * total';

describe('an edit answer is read', () => {
  const edit: Edit = { line: 2, old: ['a - b'], added: ['a + b'] };
  const answers: Record<string, string> = {
    bare: '@2\n-a - b\n+a + b',
    'in a fence, with words around it': 'The sign is wrong.\n```\n@2\n-a - b\n+a + b\n```\nThat is all.',
    'after thinking': '<think>@1\n-x\n+y</think>@2\n-a - b\n+a + b\n',
    'with line breaks of Windows': '@2\r\n-a - b\r\n+a + b\r\n',
    'with a colon after the number': '@2:\n-a - b\n+a + b\n\nI changed:\n- the sign',
  };
  test.each(Object.keys(answers))('%s', name => {
    expect(readEdits(answers[name] ?? '')).toEqual([edit]);
  });

  test('several in sequence, and pairs of lines as in a diff', () => {
    expect(readEdits('@2\n-a\n+b\n@4\n-c\n+d\n-e\n+f')).toEqual([
      { line: 2, old: ['a'], added: ['b'] },
      { line: 4, old: ['c'], added: ['d'] },
      { line: 5, old: ['e'], added: ['f'] },
    ]);
  });

  test('none in prose, in code, or in a bare line number', () => {
    for (const answer of ['', 'Use `+`.', code, '@2\nnothing', '- a\n+ b'])
      expect(readEdits(answer)).toEqual([]);
  });
});

describe('an edit replaces', () => {
  const edited = (answer: string) => applyEdits(code, readEdits(answer));
  const withLine = (number: number, ...lines: string[]) => {
    const all = code.split('\n');
    all.splice(number - 1, 1, ...lines);
    return { code: all.join('\n') };
  };

  test('part of a line, preferring whole words', () => {
    expect(edited('@2\n-a - b\n+a + b')).toEqual(withLine(2, '    total = a + b'));
    expect(edited('@2\n-a\n+c')).toEqual(withLine(2, '    total = c - b'));
    expect(edited('@2\n-ota\n+ax')).toEqual(withLine(2, '    taxl = a - b'));
  });

  test('a whole line, with or without indentation; an empty replacement removes it', () => {
    expect(edited('@2\n-    total = a - b\n+    total = a')).toEqual(withLine(2, '    total = a'));
    expect(edited('@2\n-total = a - b\n+total = a')).toEqual(withLine(2, '    total = a'));
    expect(edited('@2\n-total = a - b')).toEqual(withLine(2));
    expect(edited('@2\n- - b\n+')).toEqual(withLine(2, '    total = a'));
  });

  test('several whole lines', () => {
    const both = { code: 'def f(a, b):\n    total = b\n\n    return total * total' };
    expect(edited('@1\n-def f(a, b):\n-total = a - b\n+def f(a, b):\n+    total = b')).toEqual(both);
  });

  test('an edit inserts before a line and at the end', () => {
    expect(edited('@2\n+    a = b')).toEqual(withLine(2, '    a = b', '    total = a - b'));
    expect(edited('@5\n+    # end')).toEqual({ code: `${code}\n    # end` });
  });

  test('line numbers refer to the code as shown, regardless of earlier edits', () => {
    const result = edited('@2\n+    a = b\n@2\n-a - b\n+b - a\n@3\n-\n@4\n-* total\n+');
    expect(result).toEqual({ code: 'def f(a, b):\n    a = b\n    total = b - a\n    return total ' });
  });
});

describe('an edit that does not apply says why', () => {
  const misfits: Record<string, string> = {
    '@9\n-a\n+b': 'There is no line 9: the code has lines 1 to 4.',
    '@0\n-a\n+b': 'There is no line 0: the code has lines 1 to 4.',
    '@5\n-a\n+b': 'The edit takes one line from line 5 on, but the code ends with line 4.',
    '@4\n-a\n-b\n+c': 'The edit takes 2 lines from line 4 on, but the code ends with line 4.',
    '@2\n-c\n+d': 'Line 2 does not hold `c`. It reads:\n    total = a - b',
    '@4\n-total\n+a':
      '`total` stands 2 times in line 4; take more of the line. It reads:\n    return total * total',
    '@2\n-a - b': 'Line 2 is not `a - b`. It reads:\n    total = a - b',
    '@2\n-\n+a': 'The text to replace in line 2 is empty.',
    '@2\n-a - b\n+a - b': 'The edit changes nothing: the replacement is identical to the original text.',
    '@2\n-total = a - b\n@2\n-a\n+b': 'An edit before it has removed line 2 already.',
  };
  test.each(Object.keys(misfits))('%j', answer => {
    expect(applyEdits(code, readEdits(answer))).toEqual({ notApplicable: misfits[answer] });
  });
});

describe('the canonical edit', () => {
  const of = (before: string, after: string) => editText(canonicalEdits(before, after));

  test('is the shortest sequence of tokens that identifies one position', () => {
    expect(of('    return a - b', '    return a + b')).toBe('@1\n--\n++');
    expect(of('    return a - a', '    return a - b')).toBe('@1\n-- a\n+- b');
    expect(of('x = [a, a, b]', 'x = [a, a, c]')).toBe('@1\n-b\n+c');
    expect(of('return f(x)', 'return f(x) + 1')).toBe('@1\n-)\n+) + 1');
    expect(of('if x and y:', 'if x:')).toBe('@1\n-x and y\n+x');
    expect(of('x', 'not x')).toBe('@1\n-x\n+not x');
  });

  test('uses whole lines if the indentation or the number of lines changes', () => {
    expect(of('a\nb', 'a')).toBe('@2\n-b');
    expect(of('a\nb', 'a\n  x\nb')).toBe('@2\n+  x');
    expect(of('a\n    b', 'a\n  b')).toBe('@2\n-b\n@3\n+  b');
  });

  const word = fc.constantFrom(
    'a',
    'b',
    'total',
    '(',
    ')',
    '+',
    '-',
    '==',
    ' ',
    '  ',
    ',',
    '@3',
    '1',
    'é',
    '[0]',
    '-1',
  );
  const line = fc
    .tuple(fc.constantFrom('', '    ', '\t'), fc.array(word, { maxLength: 7 }))
    .map(([indent, words]) => indent + words.join(''));
  const program = fc.array(line, { minLength: 1, maxLength: 6 }).map(lines => lines.join('\n'));

  test('produces the edited code, also through its text', () => {
    fc.assert(
      fc.property(program, program, (before, after) => {
        fc.pre(before !== after);
        const edits = canonicalEdits(before, after);
        expect(applyEdits(before, edits)).toEqual({ code: after });
        expect(readEdits(editText(edits))).toEqual(edits);
      }),
      { numRuns: 500 },
    );
  });

  test('any edits are applied or rejected with a sentence', () => {
    const edit = fc.record({
      line: fc.nat(8),
      old: fc.array(line, { maxLength: 3 }),
      added: fc.array(line, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(program, fc.array(edit, { maxLength: 4 }), (before, edits) => {
        const applied = applyEdits(before, edits);
        if ('notApplicable' in applied) expect(applied.notApplicable).not.toBe('');
        else expect(applied.code).not.toBe(before);
      }),
    );
  });
});

describe('the prompts for edits', () => {
  const task: Task = {
    id: 't',
    language: 'python',
    entryPoint: 'f',
    declaration: 'def f(x):\n',
    docstring: '',
    buggy: '\ndef f(x):\n\n    return x - 1\n\n',
    canonical: '',
    tests: 'assert f(1) == 2',
    exampleTests: '',
    bugType: null,
  };
  const options = { feedback: 'tests', answer: 'edit' } as const;
  const last = { candidate: 'def f(x):\n\n    return x - 2\n', completion: 'So:\n```\n@3\n-1\n+2\n```' };

  test('number the lines of the code', () => {
    expect(promptOf('draft', task, undefined, options)[1]?.content).toBe(
      'The function `f` has a bug.\n\nCode with the bug, lines numbered:\n```python\n1|def f(x):\n2|\n3|    return x - 1\n```\n\nFix `f`. Keep its signature: `def f(x)`',
    );
  });

  test('quote the previous edit and ask for another', () => {
    const verdict = {
      kind: 'failed',
      message: '',
      test: { line: 1, source: 'assert f(1) == 2' },
      expected: '2',
      actual: '-1',
    } as const;
    const messages = promptOf('reflect', task, { ...last, verdict }, options);
    expect(messages.slice(2)).toEqual([
      { role: 'assistant', content: '@3\n-1\n+2' },
      {
        role: 'user',
        content:
          'That is not right yet. This test fails:\nassert f(1) == 2\nExpected: 2\nGot: -1\n\nFix `f` with an edit of the code above.',
      },
    ]);
    expect(promptOf('draft', task, undefined, options)).toEqual(messages.slice(0, 2));
  });

  test.each(['draft', 'repeat', 'syntax', 'propose'] as const)('%s reads like this', node => {
    const verdict =
      node === 'syntax'
        ? ({
            kind: 'edit-not-applicable',
            message: 'There is no line 9: the code has lines 1 to 3.',
          } as const)
        : null;
    const text = promptOf(node, task, { ...last, verdict, repeated: node === 'repeat' }, options)
      .map(({ role, content }) => `[${role}]\n${content}\n`)
      .join('');
    expect(text).toMatchSnapshot();
  });
});
