import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { boundaryOf } from '../../../lib/fix/project/boundary.ts';
import { type ModuleFolders, moduleFolders } from '../../../lib/fix/project/module-folders.ts';
import { viewOf } from '../../../lib/sandbox/isolation/mounts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** `home/secret` beside `home/project`; links are given as path in the project → target. */
async function projectWith(links: Readonly<Record<string, string>>, files: readonly string[] = []) {
  const home = await realpath(await temporaryFolder());
  const root = join(home, 'project');
  for (const file of ['../secret/package.json', 'node_modules/plain/package.json', ...files]) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), '{}');
  }
  for (const [path, target] of Object.entries(links)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await symlink(target.replace('HOME', home), join(root, path));
  }
  return { home, root };
}

function found(root: string, nested: readonly string[] = [], others: readonly string[] = []): ModuleFolders {
  return moduleFolders(root, { top: undefined, others, nested });
}

describe('nothing outside of the project is mounted', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['an absolute link', { 'node_modules/x': 'HOME/secret' }],
    ['a relative link', { 'node_modules/x': '../../secret' }],
    ['a link to the folder around', { 'node_modules/x': '../..' }],
    ['a link to the root of the system', { 'node_modules/x': '/' }],
    ['a link to a link', { 'node_modules/x': './y', 'node_modules/y': '../out', out: 'HOME/secret' }],
    [
      'a link whose folder above is elsewhere than that of its name',
      { 'node_modules/x': '../d/../secret', d: 'a/b/up', 'a/b/up': '../..', secret: 'node_modules/plain' },
    ],
    ['a chain through folders', { 'a/b/up': '../..', 'node_modules/x': '../a/b/up/../secret' }],
    ['a package of a scope', { 'node_modules/@s/x': '../../../secret' }],
    ['a scope', { 'node_modules/@s': '../..' }],
    ['a name like a scope', { 'node_modules/@x': 'HOME/secret/package.json' }],
    ['a link to the home folder', { 'node_modules/x': homedir() }],
  ])('%s', async (_, links) => {
    const { root } = await projectWith(links);
    const { folders, refused } = found(root);
    expect(folders).toMatchObject([{ path: join(root, 'node_modules'), inside: {}, outside: [] }]);
    expect(refused.length).toBeGreaterThan(0);
  });

  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['packages/a/node_modules', { 'packages/a/node_modules': 'HOME/secret' }, ['packages/a/node_modules']],
    ['packages/b/node_modules', { 'packages/b/node_modules': '../../..' }, ['packages/b/node_modules']],
  ])('the whole folder %s', async (_, links, nested) => {
    const { root } = await projectWith(links);
    expect(() => found(root, nested)).toThrow(expect.objectContaining({ code: 'PACKAGES_OUTSIDE' }));
  });

  test('a folder is mounted where the kernel finds it, not where its name says', async () => {
    const { home, root } = await projectWith(
      { d: 'x/y/z', 'packages/a/node_modules': '../../d/../../../secret' },
      ['x/y/z/file', 'secret/inside/package.json'],
    );
    const [, folder] = found(root, ['packages/a/node_modules']).folders;
    expect(folder?.path).toBe(join(root, 'secret'));
    const { paths } = viewOf([join(root, 'packages/a/node_modules')]);
    expect([paths, home]).toEqual([[join(root, 'secret')], home]);
  });

  test('neither are packages around a project that is no part of a repository or workspace', async () => {
    const { home, root } = await projectWith({}, ['../node_modules/theirs/package.json']);
    expect(found(root).folders.map(({ path }) => path)).toEqual([join(root, 'node_modules')]);
    expect(boundaryOf(root)).toBe(root);
    await mkdir(join(home, '.git'));
    expect(boundaryOf(root)).toBe(home);
    expect(boundaryOf(root, root)).toBe(root);
  });
});

describe('links of package managers work', () => {
  test('a store inside node_modules, and a package of the workspace', async () => {
    const { root } = await projectWith(
      {
        'node_modules/rates': '.pnpm/rates@1.0.0/node_modules/rates',
        'node_modules/@own/core': '../../packages/core',
        'packages/core/node_modules/rates': '../../../node_modules/.pnpm/rates@1.0.0/node_modules/rates',
      },
      ['node_modules/.pnpm/rates@1.0.0/node_modules/rates/package.json', 'packages/core/package.json'],
    );
    expect(found(root, ['packages/core/node_modules'])).toMatchObject({
      folders: [
        { inside: { '@own/core': 'packages/core' }, outside: [] },
        { inside: {}, outside: [] },
      ],
      refused: [],
    });
  });

  test('links in a workspace lead to the packages of the workspace', async () => {
    const { root } = await projectWith(
      { 'node_modules/own': '../packages/own', 'packages/core/node_modules/own': '../../own' },
      ['packages/own/package.json', 'packages/core/package.json'],
    );
    await writeFile(join(root, 'package.json'), '{"workspaces": ["packages/*"]}');
    const { folders, refused } = found(join(root, 'packages/core'));
    expect(folders.map(({ outside }) => outside)).toEqual(Array(2).fill([join(root, 'packages/own')]));
    expect(refused).toEqual([]);
  });

  test('a folder that the user names', async () => {
    const { home, root } = await projectWith({ 'node_modules/x': '../../secret' });
    expect(found(root, [], [join(home, 'secret')])).toMatchObject({
      folders: [{ outside: [join(home, 'secret')] }],
      refused: [],
    });
  });
});
