import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareRuns } from '../../lib/commands/compare.ts';
import { parseRunOptions } from '../../lib/options/run-options.ts';
import { run } from '../../lib/run/run.ts';
import { context, partsFor, tasks } from '../run/fakes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function ran(folder: string, name: string, options = {}): Promise<string> {
  const out = join(folder, `${name}.jsonl`);
  await run(parseRunOptions({ out, iters: 0, ...options }), partsFor(tasks(2)), context());
  return out;
}

test('a file that is compared with itself is noticed, however it is named', async () => {
  const folder = await temporaryFolder();
  const a = await ran(folder, 'a');
  const b = await ran(folder, 'b');
  const link = join(folder, 'link.jsonl');
  await symlink(a, link);
  await symlink(a.replace('.jsonl', '.manifest.json'), link.replace('.jsonl', '.manifest.json'));
  const same = expect.stringContaining('same file');
  expect((await compareRuns(a, a)).warnings).toEqual([same]);
  expect((await compareRuns(a, link)).warnings).toEqual([same]);
  expect((await compareRuns(a, b)).warnings).toEqual([]);
});

test('options that differ are named as they are typed', async () => {
  const folder = await temporaryFolder();
  const [a, b] = [await ran(folder, 'a'), await ran(folder, 'b', { maxNewTokens: 9 })];
  expect((await compareRuns(a, b)).differences).toEqual([{ what: '--max-new-tokens', a: '512', b: '9' }]);
});
