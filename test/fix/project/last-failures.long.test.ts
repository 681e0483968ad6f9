import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { lastFailures, lastFailuresOnly } from '../../../lib/fix/project/last-failures.ts';
import { hefixHere } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}
const cache = '.pytest_cache/v/cache/lastfailed';

test("reads pytest's, vitest's and jest's caches, and none that is not one", async () => {
  const root = await folderWith({
    [cache]: '{"test_a.py::test_one": true}',
    'node_modules/.vite/vitest/a1/results.json':
      '{"version":"4","results":[["unit:test/a.test.ts",{"duration":1,"failed":true}],[":b.test.ts",{"duration":1,"failed":false}]]}',
    'node_modules/.vite/vitest/a2/results.json': '{"results": 3}',
  });
  const caches = await folderWith({
    'jest_1/perf-cache-x': JSON.stringify({
      [join(root, 'c.test.js')]: [0, 7],
      [join(root, 'd.test.js')]: [1, 7],
    }),
    'jest_1/perf-cache-y': '{',
    'jest_1/other': 'no',
  });
  const failedLast = lastFailures(root, caches);
  const failed = ['test_a.py::test_one', 'test/a.test.ts > adds > twice', 'c.test.js > x'];
  const passed = ['test_a.py::test_two', 'b.test.ts > x', 'd.test.js > x'];
  expect([...failed, ...passed].filter(failedLast)).toEqual(failed);
  expect(lastFailures(join(root, 'nowhere'), join(root, 'nowhere'))('x')).toBe(false);
});

test('a cache of more than 16 MiB is not read', async () => {
  const failed = '{"test_a.py::test_one": true}';
  const read = async (length: number) =>
    lastFailures(await folderWith({ [cache]: failed.padEnd(length) }), '/nowhere')('test_a.py::test_one');
  expect([await read(2 ** 24), await read(2 ** 24 + 1)]).toEqual([true, false]);
});

test('without a last failure that still fails, or without others, there is nothing to begin with', () => {
  const tests = ['a', 'b'].map(id => ({ id, outcome: 'failed' as const }));
  expect(lastFailuresOnly(tests, id => id === 'c')).toBeNull();
  expect(lastFailuresOnly(tests, () => true)).toBeNull();
  expect(lastFailuresOnly(tests, id => id === 'b')?.map(({ outcome }) => outcome)).toEqual([
    'skipped',
    'failed',
  ]);
});

test('hefix fix without arguments begins with the functions that the last failures execute', async () => {
  const names = ['first', 'second'];
  const cwd = await folderWith({
    'shop.py': names.map(name => `def ${name}(n):\n    return n + 2\n`).join('\n\n'),
    'test_shop.py': `from shop import first, second\n\n\n${names
      .map(name => `def test_${name}():\n    assert ${name}(3) == 6\n    assert ${name}(0) == 0\n`)
      .join('\n\n')}`,
    [cache]: '{"test_shop.py::test_second": true, "test_gone.py::test_x": true}',
  });
  const fixing = async (...args: readonly string[]) => {
    const { stdout } = await hefixHere(['fix', ...args, '--no-rank', '--json'], { cwd });
    const { outcome, suspects, repairs, notes } = JSON.parse(stdout);
    return { outcome, suspects: suspects.map(nameOf), repairs: repairs.map(nameOf), notes };
  };
  const begun = await fixing();
  expect(begun).toMatchObject({
    suspects: ['second', 'first'],
    repairs: ['second', 'first'],
    outcome: 'repaired',
  });
  expect(begun.notes).toContainEqual(
    expect.stringContaining('The search began with the tests that failed last'),
  );
  expect(await fixing('.')).toMatchObject({ suspects: ['first', 'second'], notes: [] });
});

function nameOf(suspect: { readonly function: string }): string {
  return suspect.function;
}
