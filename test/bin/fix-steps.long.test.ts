import { existsSync, readdirSync } from 'node:fs';
import { appendFile, cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { hefixHere } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function leapYear(): Promise<string> {
  const folder = join(await temporaryFolder(), 'leap-year');
  await cp(packageFile('fixtures/projects/leap-year'), folder, { recursive: true });
  return folder;
}

test('--verbose shows each step of the machine, and --inspect its address', async () => {
  const args = ['fix', '.', '--no-rank', '--verbose', '--inspect'];
  const { exitCode, stderr } = await hefixHere(args, { cwd: await leapYear() });
  expect(exitCode).toBe(0);
  const steps = [...stderr.matchAll(/^(\w+)(?: [\w.]+)?(?:, \d+ candidates)? {2}\d+\.\d+ s$/gm)].map(
    ([, step]) => step,
  );
  expect(steps).toEqual(['copy', 'test', 'repeat', 'locate', 'search', 'confirm', 'question', 'judge']);
  expect(stderr).toMatch(/^search is_leap, \d+ candidates/m);
  expect(stderr).toContain('the live machine is at http://');
});

test('--verbose shows what a model is asked and answers, line by line', async () => {
  const cwd = await leapYear();
  const script = join(await temporaryFolder(), 'script.jsonl');
  const answer = 'The rule of centuries is wrong.\n\nSHOW other.py';
  await writeFile(script, JSON.stringify({ completions: [answer] }));
  const args = ['fix', '.', '--backend', 'scripted', '--model', script, '--max-requests', '1', '--verbose'];
  const { stderr } = await hefixHere(args, { cwd });
  expect(stderr).toContain('\nrequest 1\n[system]\nYou are');
  expect(stderr).toContain(`\nanswer\n${answer}\n`);
});

test('options of the steps exclude what they do not go with', async () => {
  const cwd = await leapYear();
  const conflicts = [
    ['--quiet', '--verbose'],
    ['--watch', '--inspect'],
    ['--inspect-content'],
    ['--agent', 'react'],
  ];
  for (const given of conflicts)
    expect((await hefixHere(['fix', '.', ...given], { cwd })).stderr).toContain('OPTION_INVALID');
});

test('hefix machine prints the machine of a repair', async () => {
  const { stdout } = await hefixHere(['machine', '--agent', 'project']);
  expect(stdout).toContain('repair_next --> repair_wait: [mayBeWritten]');
});

/** Interrupts a repair once its tests have run. */
async function interrupt(args: readonly string[], cwd: string): Promise<void> {
  const abort = new AbortController();
  const onWrite = (text: string) => {
    if (text.includes('locate ')) abort.abort();
  };
  expect((await hefixHere(args, { cwd, signal: abort.signal, onWrite })).exitCode).toBe(130);
}

test.each(['state.json', '../link/state.json'])(
  '--save-state goes on from %s in the project',
  async state => {
    const cwd = await leapYear();
    await symlink(cwd, join(cwd, '../link'));
    const args = ['fix', '.', '--no-rank', '--verbose', '--save-state', state];
    await interrupt(args, cwd);
    const { exitCode, stderr } = await hefixHere(args, { cwd });
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('Ignoring the state')]);
    expect(stderr).not.toMatch(/^test /m);
  },
);

test.each([
  ['another model', ['--model', 'smollm2-135m']],
  ['another weight type', ['--dtype', 'fp32']],
  ['no model', ['--no-rank']],
])('--save-state does not go on with %s', async (_, other) => {
  const cwd = await leapYear();
  const args = ['fix', '.', '--verbose', '--save-state', 'state.json', '--show-suspects'];
  await interrupt(args, cwd);
  const { stderr } = await hefixHere([...args, ...other], { cwd });
  expect(stderr).toContain('Ignoring the state in');
  expect(stderr).toMatch(/^test /m);
});

test('--save-state goes on after an interruption, unless the project has changed', async () => {
  const cwd = await leapYear();
  const state = join(await temporaryFolder(), 'state.json');
  const args = ['fix', '.', '--no-rank', '--verbose', '--save-state', state];
  await interrupt(args, cwd);
  const saved = await readFile(state, 'utf8');
  const resumed = await hefixHere(args, { cwd });
  expect(resumed.exitCode).toBe(0);
  expect(resumed.stdout).toContain('or year % 400 == 0');
  expect(resumed.stderr).not.toMatch(/^test /m);
  expect(existsSync(state)).toBe(false);

  // As it was before the search went round the suspects in slices.
  const { snapshot } = JSON.parse(saved);
  const { slice, ...context } = snapshot.context;
  expect(slice).toBe(0);
  const earlier = { ...JSON.parse(saved), format: 7, snapshot: { ...snapshot, context } };
  await writeFile(state, JSON.stringify(earlier));
  const restarted = await hefixHere(args, { cwd });
  expect(restarted.stderr).toContain('Ignoring the state in');
  expect([restarted.exitCode, restarted.stdout]).toEqual([0, resumed.stdout]);

  await writeFile(state, saved);
  await appendFile(join(cwd, 'calendar_rules.py'), '\n');
  const changed = await hefixHere(args, { cwd });
  expect(changed.stderr).toContain('Ignoring the state in');
  expect(changed.stderr).toMatch(/^test /m);
  const nowhere = await hefixHere([...args.slice(0, -1), join(state, 'no', 'file')], { cwd });
  expect([nowhere.exitCode, nowhere.stderr]).toEqual([2, expect.stringContaining('STATE_NOT_WRITABLE')]);
  // The copy of the project was still being made.
  const left = readdirSync(tmpdir()).filter(name => name.startsWith(`hefix-jail-${process.pid}-`));
  expect(left).toEqual([]);
});
