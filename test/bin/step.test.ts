import { expect, test } from 'vitest';
import { hefix, hefixHere, writeSmallSet } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function stepCommand(): Promise<string[]> {
  const { dataset, script } = await writeSmallSet(await temporaryFolder(), 12);
  return ['step', '--backend', 'scripted', '--model', script, '--dataset', dataset];
}

async function walk(input: string, args: readonly string[] = ['--task', 'small/1'], env = {}) {
  return await hefix([...(await stepCommand()), ...args], { input, env });
}

test('walks a task through the machine, one line per step', async () => {
  const { exitCode, stdout, stderr } = await walk('\n\n\n\n');
  expect([exitCode, stderr]).toEqual([0, '']);
  const shown = String(stdout);
  const inOrder = [
    'small/1, reflect with script.jsonl',
    'return x - 1 - 1',
    '1. draft',
    'start · [draft] · reflect · repeat · syntax · enumerate',
    'Ask for the fixed function.',
    '→ examine',
    'Gives x plus 1.',
    '▶ send this at temperature 0, for at most 512 tokens?',
    'return x * 1 - 7',
    '2. examine',
    '3. execute',
    '→ solved if isSolved',
    '▶ run the tests?',
    'failed',
    'expected 2',
    'actual   -6',
    '5. reflect',
    '▶ send this at temperature 0.2',
    'return x + 1',
    '▶ run the tests?',
    'passed',
    'solved after 2 attempts',
    'draft → examine → execute → iterate → reflect → examine → execute → solved',
  ];
  let from = 0;
  for (const part of inOrder) {
    const found = shown.indexOf(part, from);
    expect(found, `${part} after ${JSON.stringify(shown.slice(from - 40, from))}`).toBeGreaterThanOrEqual(
      from,
    );
    from = found + part.length;
  }
  expect(shown).not.toContain('\u001b');
});

test('continues to the end, quits, and ends with its input', async () => {
  const [all, quit, ended] = await Promise.all([walk('x\na\n'), walk('\nq\n'), walk('')]);
  expect([all.exitCode, String(all.stdout).match(/▶/g)?.length]).toEqual([0, 1]);
  expect(all.stdout).toContain('solved after 2 attempts');
  expect([quit.exitCode, quit.stdout]).toEqual([
    0,
    expect.stringMatching(/run the tests\?.*\nLeft before the end\.$/),
  ]);
  expect([ended.exitCode, ended.stdout]).toEqual([0, expect.stringMatching(/Left before the end\.$/)]);
});

test('uses colours if enabled, and rejects selections of no or several tasks', async () => {
  const coloured = await walk('q\n', ['--task', '2'], { NO_COLOR: undefined, FORCE_COLOR: '1' });
  expect(coloured.stdout).toContain('\u001b[7m[draft]\u001b[27m');
  const command = await stepCommand();
  const none = await hefixHere([...command, '--task', 'small/99']);
  const many = await hefixHere([...command, '--task', 'small/*']);
  const missing = await hefixHere(command);
  expect([none.exitCode, none.stderr]).toEqual([1, expect.stringContaining('[TASKS_UNKNOWN]')]);
  expect([many.exitCode, many.stderr]).toEqual([
    1,
    expect.stringContaining('expected one task, and 12 match'),
  ]);
  expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining('hefix step needs --task')]);
});
