import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { declarationOf, rowsToTasks } from '../dataset/columns.ts';
import { testReportSchema } from '../lib/core/project-tests.ts';
import { allowedPath } from '../lib/extra/mcp/server-parts.ts';
import { findTests } from '../lib/fix/project/find-tests.ts';
import { testCommands } from '../lib/fix/project/javascript-framework.ts';

/** Text of a mebibyte that patterns once took hours for; each test ends, or the runner's limit ends it. */

const MEBI = 2 ** 20;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'hefix-patterns-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

test.each([
  ['quotes that do not end', '"\\'.repeat(MEBI / 4)],
  ['single quotes', "'".repeat(MEBI / 2 + 1)],
  ['a quote and a backslash', `"${'\\'.repeat(MEBI / 4 + 1)}`],
])('a script of %s is read', (_, script) => {
  const root = folder();
  writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts: { test: script } }));
  expect(testCommands(root, new Set(['jest']))).toEqual([]);
});

test('a manifest that is a device is none', () => {
  const root = folder();
  symlinkSync('/dev/zero', join(root, 'package.json'));
  expect(testCommands(root, new Set(['jest']))).toEqual([]);
});

test('a file of empty lines has no examples', () => {
  const root = folder();
  writeFileSync(join(root, 'blank.py'), '\n'.repeat(MEBI));
  const target = { path: root, isFolder: true, function: null, line: null };
  expect(() => findTests({ target, language: 'python', root, namedTests: [], files: ['blank.py'] })).toThrow(
    expect.objectContaining({ code: 'TESTS_MISSING' }),
  );
});

test.each(['f)(', '(a+)+$', '[', 'a b', '\\', 'x'.repeat(201)])('the entry point %j is refused', name => {
  const row = { task_id: 'a/0', declaration: 'def f():\n', buggy_solution: '  pass\n', test: 'f()' };
  expect(() => rowsToTasks('d.jsonl', [{ number: 1, value: { ...row, entry_point: name } }])).toThrow(
    expect.objectContaining({
      code: 'DATASET_COLUMN_TYPE',
      message: expect.stringContaining('entry_point, is not the name of a function'),
    }),
  );
  expect(declarationOf(`def f(${'a'.repeat(100)}!):\n`, name, 'python')).toBeNull();
});

test('a task id has a limit', () => {
  const row = { declaration: 'def f():\n', buggy_solution: ' pass\n', test: 'f()', entry_point: 'f' };
  expect(() => rowsToTasks('d.jsonl', [{ number: 1, value: { ...row, task_id: 'a'.repeat(1001) } }])).toThrow(
    'column task_id, is too long',
  );
});

test('a path of 100,000 parts is refused', () => {
  expect(() => allowedPath('a/'.repeat(100_000), [folder()])).toThrow(
    expect.objectContaining({ code: 'INPUT_INVALID' }),
  );
});

test.each([
  ['an id', { tests: [{ id: 'a'.repeat(2 ** 16 + 1), outcome: 'passed' }], fault: null }],
  ['frames', { tests: [{ id: 'a', outcome: 'failed', frames: Array(1001).fill(['a', 1]) }], fault: null }],
  ['tests', { tests: Array(100_001).fill({ id: 'a', outcome: 'passed' }), fault: null }],
])('a report with too much of %s is none', (_, report) => {
  expect(testReportSchema.safeParse(report).success).toBe(false);
});
