import { expect, test } from 'vitest';
import { taskOfCode } from '../../../lib/core/task.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import type { OpenProject } from '../../../lib/fix/project/open-project.ts';
import { findOtherRepairs } from '../../../lib/fix/question/ask-question.ts';
import type { Runner } from '../../../lib/fix/runners/runner.ts';
import { openParser } from '../../../lib/syntax/parser.ts';
import type { Suspect } from '../../../machines/project-actors.ts';

const code = 'class Box:\n    def size(self, n):\n        return n + 1\n';

test('other repairs of a method are found, but no question is asked about them', async () => {
  const file = readSource('box.py', Buffer.from(code));
  const project = {
    parser: await openParser('python'),
    language: 'python',
    has: () => true,
    source: () => file,
    isTest: () => false,
  } as unknown as OpenProject;
  const runner: Runner = {
    name: 'none',
    start() {},
    run: async () => expect.unreachable(),
    close: async () => {},
  };
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
  const { alternatives, asked } = await findOtherRepairs(input, asking);
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
});
