import { chmod, chown, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../../../../lib/files/package-root.ts';
import { openProgramCache } from '../../../../lib/sandbox/python/host/program-cache.ts';
import { preparePython } from '../../../../lib/sandbox/python/host/python-programs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const sources = packageFile('lib/sandbox/python/programs');
const programs = { judges: 'Y29kZQ==' };

async function filledCache(): Promise<{ folder: string; file: string }> {
  const folder = join(await temporaryFolder(), 'cache', 'programs');
  await (await openProgramCache(folder, sources)).write('cpython-313-1', programs);
  const [name = ''] = await readdir(folder);
  return { folder, file: join(folder, name) };
}

describe('an entry', () => {
  test('is found again by the same interpreter and sources', async () => {
    const { folder } = await filledCache();
    const cache = await openProgramCache(folder, sources);
    expect(cache.ids).toEqual(['cpython-313-1']);
    expect(await cache.read('cpython-313-1')).toEqual(programs);
    expect(await cache.read('cpython-314-1')).toBeNull();
  });

  test('does not count for other sources', async () => {
    const { folder } = await filledCache();
    const other = await temporaryFolder();
    await writeFile(join(other, 'judge.py'), 'pass\n');
    expect((await openProgramCache(folder, other)).ids).toEqual([]);
  });
});

/** What may be wrong with an entry. */
const wrongs: Readonly<Record<string, (file: string, folder: string) => Promise<void>>> = {
  'is damaged': async file => writeFile(file, (await readFile(file, 'utf8')).replace('Y29k', 'Y29l')),
  'is cut off': async file => writeFile(file, (await readFile(file, 'utf8')).slice(0, -2)),
  'others may write': file => chmod(file, 0o666),
  'is a link': async (file, folder) => {
    await rename(file, join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), file);
  },
};

test.for(Object.entries(wrongs))('an entry that %s is not trusted', async ([, spoil]) => {
  const { folder, file } = await filledCache();
  await spoil(file, folder);
  expect(await (await openProgramCache(folder, sources)).read('cpython-313-1')).toBeNull();
});

test('a folder to which others may write is neither read nor written', async () => {
  const { folder, file } = await filledCache();
  const content = await readFile(file, 'utf8');
  await chmod(folder, 0o777);
  const cache = await openProgramCache(folder, sources);
  expect(cache.ids).toEqual([]);
  await cache.write('cpython-313-1', { judges: 'b3RoZXI=' });
  expect(await readFile(file, 'utf8')).toBe(content);
});

test.runIf(process.geteuid?.() === 0)('nor is one of another user', async () => {
  const { folder, file } = await filledCache();
  await chown(file, 65_534, 65_534);
  expect(await (await openProgramCache(folder, sources)).read('cpython-313-1')).toBeNull();
  await chown(folder, 65_534, 65_534);
  expect((await openProgramCache(folder, sources)).ids).toEqual([]);
});

test('programs from the cache are those that Python compiles, and damage is repaired', async () => {
  const before = process.env.HEFIX_CACHE;
  process.env.HEFIX_CACHE = await temporaryFolder();
  onTestFinished(() => {
    if (before === undefined) delete process.env.HEFIX_CACHE;
    else process.env.HEFIX_CACHE = before;
  });
  const folder = join(process.env.HEFIX_CACHE, 'python-programs');
  const compiled = (await preparePython()).arguments('judges');
  const [name = ''] = await readdir(folder);
  expect((await preparePython()).arguments('judges')).toEqual(compiled);
  await writeFile(join(folder, name), 'nonsense');
  await preparePython();
  const cache = await openProgramCache(folder, sources);
  expect(await cache.read(cache.ids[0] ?? '')).not.toBeNull();
});
