import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { hefixHere } from '../support/cli.ts';
import { smallRun } from '../support/small-run.ts';

/** A finished run of three tasks in `results/`, of which the last record is taken away. */
async function unfinishedRun(...options: string[]) {
  const { folder, args: all } = await smallRun(3);
  const args = [...all, ...options];
  const run = (...more: string[]) => hefixHere([...args, ...more], { cwd: folder });
  await run('--quiet');
  const name = (await readdir(join(folder, 'results'))).find(file => file.endsWith('.jsonl')) ?? '';
  const path = join(folder, 'results', name);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  await writeFile(path, `${lines.slice(0, 2).join('\n')}\n`);
  const count = async () => (await readFile(path, 'utf8')).trimEnd().split('\n').length;
  return { folder, args, run, file: join('results', name), count };
}

test('--resume --yes continues the last unfinished run of the same options', async () => {
  const { run, file, count } = await unfinishedRun();
  const { exitCode, stdout } = await run('--resume', '--yes');
  expect([exitCode, JSON.parse(stdout).records, await count()]).toEqual([0, file, 3]);
  const again = await run('--resume', '--yes');
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('[RESUME_NOTHING]')]);
});

test('--resume alone names the file in a pipe, and leaves runs of other options alone', async () => {
  const { run, file, count } = await unfinishedRun();
  const { exitCode, stderr } = await run('--resume');
  expect([exitCode, stderr]).toEqual([
    1,
    `error The last unfinished run with these options is ${file}, in which 2 of 3 tasks are judged. [RESUME_UNCONFIRMED]\nTo continue it, add --yes or --out ${file}.`,
  ]);
  const other = await run('--resume', '--yes', '--seed', '9');
  expect([other.exitCode, other.stderr]).toEqual([1, expect.stringContaining('[RESUME_NOTHING]')]);
  const alone = await run('--yes');
  expect([alone.exitCode, alone.stderr]).toEqual([1, expect.stringContaining('--yes requires --resume')]);
  expect(await count()).toBe(2);
});

test('--resume continues no run of other tasks', async () => {
  const { run, file, count } = await unfinishedRun();
  for (const other of [
    ['--shard', '2/2'],
    ['--tasks', '2'],
    ['--limit', '2'],
  ]) {
    const { exitCode, stderr } = await run('--resume', '--yes', ...other);
    expect([other, exitCode, stderr]).toEqual([other, 1, expect.stringContaining('[RESUME_NOTHING]')]);
  }
  const named = await run('--resume', '--out', file, '--shard', '2/2');
  expect([named.exitCode, named.stderr]).toEqual([
    1,
    expect.stringContaining('--shard all, and this run has 2/2. [RESUME_MISMATCH]'),
  ]);
  expect(await count()).toBe(2);
});

test('--resume compares the number of samples where they differ from each other', async () => {
  const { run } = await unfinishedRun();
  const same = await run('--resume', '--yes', '--samples', '2');
  expect([same.exitCode, same.stderr]).toEqual([0, expect.stringContaining('1 is run instead of 2')]);
  const sampled = await unfinishedRun('--temperature', '0.5');
  const other = await sampled.run('--resume', '--yes', '--samples', '2');
  expect([other.exitCode, other.stderr]).toEqual([1, expect.stringContaining('[RESUME_NOTHING]')]);
});

test('--resume asks first on a terminal', async () => {
  const { folder, args, file, count } = await unfinishedRun();
  const program = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)';
  const answered = async (input: string) => {
    const command = [process.execPath, packageFile('dist/bin/hefix.js'), ...args, '--resume'];
    const options = { cwd: folder, input, reject: false, env: { NO_COLOR: '1' } } as const;
    return await execa('python3', ['-c', program, ...command], options);
  };
  const no = await answered('n\n');
  expect(no.stdout).toContain(`Resume ${file}, in which 2 of 3 tasks are judged? [Y/n]`);
  expect([no.exitCode, await count()]).toEqual([1, 2]);
  const yes = await answered('\n');
  expect([yes.exitCode, await count()]).toEqual([0, 3]);
});
