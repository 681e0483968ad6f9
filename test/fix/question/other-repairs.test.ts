import { expect, test } from 'vitest';
import { taskOfCode } from '../../../lib/core/task.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import type { OpenProject } from '../../../lib/fix/project/open-project.ts';
import { findOtherRepairs } from '../../../lib/fix/question/ask-question.ts';
import { openParser } from '../../../lib/syntax/parser.ts';
import type { Suspect } from '../../../machines/project-actors.ts';
import { stubRunner } from '../../support/stub-runner.ts';

const code = 'class Box:\n    def size(self, n):\n        return n + 1\n';

test('without calls that the tests make, other repairs of a method are found, and no question is asked', async () => {
  const file = readSource('box.py', Buffer.from(code));
  const project = {
    parser: await openParser('python'),
    language: 'python',
    has: () => true,
    source: () => file,
    isTest: () => false,
  } as unknown as OpenProject;
  const runner = stubRunner(async () => expect.unreachable());
  const task = taskOfCode({
    ...{ id: 'box.py::Box.size', language: 'python', entryPoint: 'size', declaration: '', docstring: '' },
    ...{ buggy: 'def size(self, n):\n    return n + 1\n', tests: '' },
  });
  const suspect: Suspect = {
    ...{ kind: 'function', file: 'box.py', function: 'Box.size', line: 2 },
    ...{ suspicion: 1, lines: [], task },
  };
  const edit = (code: string) => ({ code, origin: 'edit', place: 0 }) as const;
  const others = [{ ...edit('def size(self, n):\n    return n\n'), passes: true }];
  const found = edit('def size(self, n):\n    return n - 1\n');
  const report = { tests: [], fault: null };
  const { signal } = new AbortController();
  const asking = {
    project,
    runners: [runner, runner],
    timeout: 5,
    now: () => 0,
    seconds: 5,
    signal,
  } as const;
  const input = { tests: [], suspect, found, others, changes: [], after: report };
  const { alternatives, asked, note } = await findOtherRepairs(input, asking);
  expect(alternatives).toEqual([
    `--- a/box.py
+++ b/box.py
@@ -1,3 +1,3 @@
 class Box:
     def size(self, n):
-        return n + 1
+        return n
`,
  ]);
  expect(asked).toBeNull();
  expect(note).toBeNull();
});

test('says that other repairs behave the same only after it has called them with enough inputs', async () => {
  const source = 'def f(age):\n    return age > 20\n';
  const codeOf = (condition: string) => `def f(age):\n    return ${condition}\n`;
  const file = readSource('box.py', Buffer.from(source));
  const project = {
    parser: await openParser('python'),
    language: 'python',
    has: () => true,
    source: () => file,
    check: async () => {},
    isTest: () => false,
  } as unknown as OpenProject;
  const task = taskOfCode({
    ...{ id: 'box.py::f', language: 'python', entryPoint: 'f', declaration: '', docstring: '' },
    ...{ buggy: source, tests: '' },
  });
  const suspect: Suspect = {
    ...{ kind: 'function', file: 'box.py', function: 'f', line: 1 },
    ...{ suspicion: 1, lines: [], task },
  };
  const edit = (condition: string) => ({ code: codeOf(condition), origin: 'edit', place: 0 }) as const;
  const others = [{ ...edit('age >= 18'), passes: true }];
  /** @param known number of inputs whose outcomes come back */
  const found = async (known: number) => {
    let runs = 0;
    const runner = stubRunner(async () => {
      const outcomes = Array.from({ length: 3000 }, (_, at) => `@${at} {"value":true,"steps":1}`);
      const notes = runs++ === 0 ? '@call [30]' : outcomes.slice(0, known).join('\n');
      return { tests: [], fault: null, notes };
    });
    const { signal } = new AbortController();
    const asking = {
      project,
      runners: [runner, runner],
      timeout: 5,
      now: () => 0,
      seconds: 5,
      signal,
    } as const;
    const changes = [{ path: 'box.py', content: Buffer.from(codeOf('age > 17')).toString('base64') }];
    const input = {
      tests: [],
      suspect,
      found: edit('age > 17'),
      others,
      changes,
      after: { tests: [], fault: null },
    };
    return await findOtherRepairs(input, asking);
  };
  const { alternatives, asked, note } = await found(3000);
  expect(asked).toBeNull();
  expect(alternatives).toEqual([]);
  expect(note).toMatch(
    /^One other change passes all tests too\. With \d{2,} inputs, at boundaries and like those of the tests, none behaves differently\.$/,
  );
  // Few of the second version's outcomes are there.
  const few = await found(1);
  expect(few).toMatchObject({ asked: null, note: null });
  expect(few.alternatives).toHaveLength(1);
});
