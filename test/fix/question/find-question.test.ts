import { expect, test } from 'vitest';
import { taskOfCode } from '../../../lib/core/task.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import type { OpenProject } from '../../../lib/fix/project/open-project.ts';
import { findQuestion } from '../../../lib/fix/question/ask-question.ts';
import type { Runner } from '../../../lib/fix/runners/runner.ts';
import { openParser } from '../../../lib/syntax/parser.ts';
import type { Suspect } from '../../../machines/project-actors.ts';

const code = 'class Box:\n    def size(self, n):\n        return n + 1\n';

test('no other repair of a method is tried, since no question can be asked about it', async () => {
  const file = readSource('box.py', Buffer.from(code));
  const project = {
    parser: await openParser('python'),
    language: 'python',
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
  const edit = (text: string) => ({ text, origin: 'edit', place: 0 }) as const;
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
  expect(await findQuestion(input, asking)).toBeNull();
});
