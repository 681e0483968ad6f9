import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { keepLastChange } from '../../lib/fix/patch/last-change.ts';
import { readSource } from '../../lib/fix/patch/source-file.ts';
import { hefixHere } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const source =
  'def double(x):\n    """\n    >>> double(4)\n    8\n    >>> double(5)\n    10\n    """\n    return x + 2\n';
const repaired = source.replace('x + 2', 'x * 2');

/** A folder with a function, in which hefix may have shown a change of it, and a command in this folder. */
async function shown({ isUnsure = false, ...change }: { isUnsure?: boolean; target?: string } = {}) {
  const cwd = await temporaryFolder();
  const path = join(cwd, 'numbers_.py');
  await writeFile(path, source);
  const env = { HEFIX_CACHE: await temporaryFolder() };
  const changes = [{ file: readSource('numbers_.py', Buffer.from(source)), after: Buffer.from(repaired) }];
  await keepLastChange(cwd, env, { target: 'numbers_.py', project: cwd, isUnsure, changes, ...change });
  const apply = (...args: string[]) => hefixHere(['fix', '--apply', ...args], { cwd, env });
  return { cwd, env, path, apply, text: () => readFile(path, 'utf8') };
}

test('--apply writes the diff that was shown last, once, and makes no other search', async () => {
  const { cwd, env, apply, text } = await shown();
  await keepLastChange(cwd, env, null);
  const first = await hefixHere(['fix', 'numbers_.py', '--no-rank'], { cwd, env });
  expect(first.stderr).toContain('Nothing was written. Apply it with hefix fix --apply.');
  expect(await text()).toBe(source);
  const { exitCode, stderr } = await apply();
  expect([exitCode, stderr]).toEqual([0, 'Written to numbers_.py.']);
  expect(await text()).toBe(repaired);
  const again = await apply();
  expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('[NOTHING_TO_APPLY]')]);
});

test('--apply --patch makes a file that git apply takes', async () => {
  const { cwd, apply, text } = await shown();
  expect((await apply('--patch', 'fix.patch')).stderr).toBe('Apply it with git apply fix.patch.');
  expect(await text()).toBe(source);
  await execa('git', ['apply', 'fix.patch'], { cwd });
  expect(await text()).toBe(repaired);
});

test('--apply --backup keeps the file, and --json says what was written', async () => {
  const { cwd, apply } = await shown();
  const { stdout } = await apply('numbers_.py', '--backup', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    files: ['numbers_.py'],
    diff: expect.stringContaining('x * 2'),
  });
  expect(await readdir(cwd)).toEqual(['numbers_.py', 'numbers_.py.orig']);
});

test('--apply refuses a changed file, a change of something else, one that is unsure, and a search', async () => {
  const edited = await shown();
  await writeFile(edited.path, `${source}# edited\n`);
  expect((await edited.apply()).stderr).toContain('[FILE_CHANGED]');
  const other = await shown({ target: '' });
  expect((await other.apply('numbers_.py')).stderr).toContain('[NOTHING_TO_APPLY]');
  const unsure = await shown({ isUnsure: true });
  expect((await unsure.apply()).stderr).toContain('[CHANGE_UNSURE]');
  expect((await unsure.apply('--write')).stderr).toContain('--apply and --write cannot be combined.');
  expect(await unsure.text()).toBe(source);
  expect((await unsure.apply('unsure')).exitCode).toBe(0);
  expect(await unsure.text()).toBe(repaired);
});
