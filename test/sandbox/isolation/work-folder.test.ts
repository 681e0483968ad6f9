import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { surveyIsolation } from '../../../lib/sandbox/isolation/isolation.ts';
import { createWorkFolder, sweepWorkFolders } from '../../../lib/sandbox/isolation/work-folder.ts';
import { preparePython } from '../../../lib/sandbox/python/host/python-programs.ts';
import { levelNeeds, needs, root } from '../../support/needs.ts';
import { programFolder, temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let victim: string;
let victims: string;
const planted = () => join(folder, `hefix-jail-${deadPid()}-x`);
const modeOf = (path: string) => statSync(path).mode & 0o777;
const isRoot = process.getuid?.() === 0;

beforeEach(async () => {
  folder = await temporaryFolder();
  victim = join(folder, 'victim');
  victims = join(folder, 'victims');
  writeFileSync(victim, 'key', { mode: 0o400 });
  mkdirSync(victims, { mode: 0o500 });
  if (isRoot) writeFileSync(join(victims, 'inner'), 'key', { mode: 0o400 });
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  expect([modeOf(victim), modeOf(victims)]).toEqual([0o400, 0o500]);
  if (isRoot) expect(modeOf(join(victims, 'inner'))).toBe(0o400);
});

describe('removing work folders of killed processes', () => {
  test('removes its own folders, including unreadable and deep ones', async () => {
    const path = planted();
    mkdirSync(join(path, 'closed', 'inner'), { recursive: true });
    writeFileSync(join(path, 'closed', 'file'), 'x');
    chmodSync(join(path, 'closed'), 0);
    await sweepWorkFolders();
    expect(existsSync(path)).toBe(false);
  });

  test('removes a folder that its candidate has made inaccessible', async () => {
    const path = planted();
    mkdirSync(join(path, 'inner'), { recursive: true });
    chmodSync(path, 0);
    await sweepWorkFolders();
    expect(existsSync(path)).toBe(false);
  });

  test('keeps folders of live processes, and other names', async () => {
    const names = [`hefix-jail-${process.pid}-x`, 'hefix-jail-x', 'hefix-test-1-x', 'other'];
    for (const name of names) mkdirSync(join(folder, name));
    await sweepWorkFolders();
    for (const name of names) expect(existsSync(join(folder, name))).toBe(true);
  });

  test.each([
    ['a link to a file', () => symlinkSync(victim, planted())],
    ['a link to a folder', () => symlinkSync(victims, planted())],
    ['a link to nothing', () => symlinkSync(join(folder, 'nothing'), planted())],
    ['a file', () => writeFileSync(planted(), 'x')],
    [
      'a link to a link',
      () => {
        symlinkSync(victims, join(folder, 'link'));
        symlinkSync(join(folder, 'link'), planted());
      },
    ],
    ['a pipe', () => spawnSync('mkfifo', [planted()])],
  ])('leaves %s', async (_, plant) => {
    plant();
    const before = lstatSync(planted()).ino;
    await sweepWorkFolders();
    expect(lstatSync(planted()).ino).toBe(before);
  });

  test('follows no links, and leaves hard-linked files unchanged', async () => {
    const path = planted();
    mkdirSync(join(path, 'inner'), { recursive: true });
    symlinkSync(victims, join(path, 'inner', 'folder'));
    symlinkSync(victim, join(path, 'file'));
    linkSync(victim, join(path, 'inner', 'hard'));
    chmodSync(join(path, 'inner'), 0o100);
    await sweepWorkFolders();
    expect(existsSync(path)).toBe(false);
    expect(existsSync(victim) && existsSync(victims)).toBe(true);
  });

  test('keeps folders of other users, and removes those of its own candidates', needs(root), async () => {
    const stranger = planted();
    const candidate = join(folder, `hefix-jail-${deadPid()}-y`);
    for (const [path, owner] of [
      [stranger, 1000],
      [candidate, 1_900_000_007],
    ] as const) {
      mkdirSync(path);
      writeFileSync(join(path, 'file'), 'x');
      symlinkSync(victims, join(path, 'link'));
      chownSync(path, owner, owner);
    }
    await sweepWorkFolders();
    expect(existsSync(join(stranger, 'file'))).toBe(true);
    expect(existsSync(candidate)).toBe(false);
  });

  test('works for an ordinary user too', needs(root), () => {
    const script = packageFile('dist/lib/sandbox/isolation/work-folder.js');
    const program = `
      process.setgid(65534); process.setuid(65534);
      const fs = require('node:fs');
      const path = process.env.TMPDIR + '/hefix-jail-${deadPid()}-';
      fs.mkdirSync(path + 'own/closed/inner', { recursive: true });
      fs.writeFileSync(path + 'own/closed/file', 'x');
      fs.chmodSync(path + 'own/closed', 0);
      fs.symlinkSync(${JSON.stringify(victim)}, path + 'link');
      import(${JSON.stringify(script)}).then(async m => {
        await m.sweepWorkFolders();
        console.log(fs.readdirSync(process.env.TMPDIR).filter(name => name.startsWith('hefix-jail')).join());
      });`;
    chmodSync(folder, 0o777);
    const run = spawnSync(process.execPath, ['-e', program], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, TMPDIR: folder },
    });
    expect(run.stderr).toBe('');
    expect(run.stdout.trim()).toBe(`hefix-jail-${deadPid()}-link`);
  });
});

let known: number | undefined;
/** The ID of a process that has ended. */
function deadPid(): number {
  known ??= spawnSync('true').pid;
  return known;
}

test('without a folder for temporary files, only the levels that need one do not work', async () => {
  vi.stubEnv('TMPDIR', join(folder, 'missing'));
  expect(() => createWorkFolder(null)).toThrow(
    expect.objectContaining({ code: 'TEMPORARY_FOLDER_UNUSABLE' }),
  );
  await sweepWorkFolders();
  const { executable } = await preparePython();
  const levels = await surveyIsolation(executable);
  expect(levels.find(({ level }) => level === 'ulimit')).toMatchObject({
    works: false,
    reason: expect.stringContaining('The folder for temporary files'),
  });
});

test('built programs are kept where they can be started, and removed from there', async ({ skip }) => {
  // Only these processes see the mount.
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const mounted = 'mount -t tmpfs -o noexec tmpfs "$TMPDIR" && exec "$0" "$@"';
  const unshare = ['--user', '--map-root-user', '--mount', 'sh', '-c', mounted];
  const cache = await programFolder();
  const left = join(cache, 'programs', `hefix-jail-${deadPid()}-x`);
  mkdirSync(left, { recursive: true });
  const module = pathToFileURL(packageFile('dist/lib/sandbox/isolation/work-folder.js')).href;
  const program = `
    import { execFileSync } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    import { createProgramFolder, sweepWorkFolders } from '${module}';
    await sweepWorkFolders();
    const { path, remove } = createProgramFolder();
    writeFileSync(path + '/hello', '#!/bin/sh\\necho hello from $0', { mode: 0o755 });
    process.stdout.write(execFileSync(path + '/hello'));
    await remove();`;
  const start = (words: readonly string[], kept: string) => {
    const env = { ...process.env, TMPDIR: temporary, HEFIX_CACHE: kept };
    return spawnSync('unshare', [...unshare, ...words], { encoding: 'utf8', env });
  };
  if (start(['true'], cache).status !== 0) return skip(levelNeeds.namespaces);
  const words = [process.execPath, '--input-type=module', '--eval', program];
  const { stdout, stderr } = start(words, cache);
  expect(stdout, stderr).toMatch(new RegExp(`^hello from ${cache}/programs/hefix-jail-\\d+-`));
  expect(readdirSync(join(cache, 'programs'))).toEqual([]);
  expect(start(words, temporary).stderr).toContain(
    `cannot be started in ${temporary} or ${temporary}/programs.`,
  );
});
