import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { hefix } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const example = (name: string) => packageFile(`examples/${name}`);

test('own dataset: solutions pass, buggy ones do not, and all are repaired', async () => {
  const dataset = ['--dataset', example('own-dataset.jsonl')];
  const verified = await hefix(['verify', ...dataset]);
  expect(verified).toMatchObject({ exitCode: 0 });
  const out = `${await temporaryFolder()}/r.jsonl`;
  const run = await hefix([...dataset, '--iters', '3', '--out', out, '--json']);
  expect(JSON.parse(`${run.stdout}`)).toMatchObject({ summary: { tasks: 3, solved: 3 } });
});

test('own model: its answer repairs the function', async () => {
  const { stdout } = await execa('node', [example('own-model.mjs')]);
  expect(stdout).toContain('+    return year % 4 == 0 and');
  expect(stdout).toMatch(/^repaired with 1 attempt$/m);
});

test('own agent: some tasks are solved, others not', async () => {
  const { stdout } = await execa('node', [example('own-agent.mjs')]);
  expect(stdout).toMatch(/^mini\/\d+ solved$/m);
  expect(stdout).toMatch(/^mini\/\d+ unsolved$/m);
});

test('own judge: attacks that end the process are held, others forge a pass', async () => {
  const command = `python3 ${example('own_judge.py')} {code} {tests} {entry_point}`;
  const { stdout } = await hefix([
    ...['attack', '--lang', 'python', '--class', 'exits,lies', '--command', command, '--json'],
  ]);
  const [exits, lies] = JSON.parse(`${stdout}`).classes;
  expect(exits).toMatchObject({ class: 'exits', forged: 0 });
  expect(lies.forged).toBeGreaterThan(0);
});
