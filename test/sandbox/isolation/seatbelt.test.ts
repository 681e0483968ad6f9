import { chmod, mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { detectIsolation, type Limits } from '../../../lib/sandbox/isolation/isolation.ts';
import type { Plan } from '../../../lib/sandbox/isolation/jail.ts';
import { levelsOn, seatbeltProfile, underSeatbelt } from '../../../lib/sandbox/isolation/levels.ts';
import { viewOf } from '../../../lib/sandbox/isolation/mounts.ts';
import { preparePython } from '../../../lib/sandbox/python/host/python-programs.ts';
import { programFolder } from '../../support/temporary-folder.ts';

const limits: Limits = {
  memoryMiB: 512,
  cpuSeconds: 1,
  processes: 1,
  openFiles: 32,
  fileSizeMiB: 8,
  workFolderMiB: 32,
};

function plan(
  argv: readonly string[],
  readable: readonly string[],
  executable: readonly string[] = [],
): Plan {
  return {
    argv,
    mounts: viewOf(readable),
    executable,
    needs: [],
    architecture: 'arm64',
    seal: false,
    limits,
  };
}

let folder: string;
let python: string;
beforeEach(async () => {
  folder = await realpath(await programFolder());
  python = join(folder, 'bin', 'python3');
  await mkdir(join(folder, 'bin'));
  await writeFile(python, '');
});
afterEach(() => vi.unstubAllEnvs());

/** The filters of the rule that allows an operation. */
function allowed(profile: string, operation: string): string {
  const rules = profile.split('\n').filter(line => line.startsWith(`(allow ${operation} `));
  expect(rules).toHaveLength(1);
  return rules[0]?.slice(`(allow ${operation} `.length, -1) ?? '';
}

test('the profile denies by default, and allows writing only to the work folder and /dev/null', () => {
  const profile = seatbeltProfile(plan([python], [python]), '/private/work');
  expect(profile.split('\n').slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
  const allows = profile.split('\n').filter(line => line.startsWith('(allow'));
  expect(allows.map(line => /^\(allow ([^\s)]+)/.exec(line)?.[1]).sort()).toEqual([
    'file-map-executable',
    'file-read*',
    'file-read-metadata',
    'file-write*',
    'file-write-data',
    'ipc-posix-sem',
    'mach-host*',
    'process-exec',
    'process-info*',
    'signal',
    'sysctl-read',
  ]);
  expect(allowed(profile, 'file-write*')).toBe('(subpath "/private/work")');
  expect(allowed(profile, 'file-write-data')).toBe('(literal "/dev/null")');
  expect(profile).not.toMatch(/network|mach-(?!host)|fork|sysctl-write|iokit-open/);
});

test('allows reading the command’s files and starting its program, but not the folders around them', async () => {
  const modules = join(folder, 'modules');
  await mkdir(modules);
  const node = join(folder, 'bin', 'node');
  await writeFile(node, '');
  const profile = seatbeltProfile(plan([python], [python, modules, node], [node]), '/private/work');
  const reads = allowed(profile, 'file-read*');
  expect(reads).toContain(`(literal "${python}")`);
  expect(reads).toContain(`(subpath "${modules}")`);
  expect(reads).toContain('(subpath "/private/work")');
  expect(reads).not.toContain(`"${folder}")`);
  expect(reads).not.toMatch(/"\/(private|Users|private\/(tmp|var))"/);
  expect(allowed(profile, 'file-read-metadata')).toContain(`(literal "${folder}")`);
  expect(allowed(profile, 'process-exec')).toBe(`(literal "${python}") (literal "${node}")`);
});

test('resolves links, and allows the program that a framework build starts', async () => {
  const version = join(folder, 'Python.framework', 'Versions', '3.12');
  await mkdir(join(version, 'bin'), { recursive: true });
  await writeFile(join(version, 'bin', 'python3.12'), '');
  const link = join(folder, 'bin', 'linked');
  await symlink(join(version, 'bin', 'python3.12'), link);
  const profile = seatbeltProfile(plan([link], [link]), '/private/work');
  expect(allowed(profile, 'process-exec')).toBe(
    `(literal "${version}/bin/python3.12") (literal "${version}/Resources/Python.app/Contents/MacOS/Python")`,
  );
  expect(allowed(profile, 'file-read*')).toContain(`(literal "${link}")`);
});

test('allows multiprocessing’s semaphores and the values that os.cpus() reads by name', () => {
  const profile = seatbeltProfile(plan([python], [python]), '/private/work');
  expect(allowed(profile, 'ipc-posix-sem')).toBe('(ipc-posix-name-regex #"^/mp-")');
  const sysctls = allowed(profile, 'sysctl-read');
  for (const name of ['machdep.cpu.brand_string', 'kern.sysv.semmni', 'kern.hostname'])
    expect(sysctls).toContain(`(sysctl-name "${name}")`);
  expect(sysctls).toContain('(sysctl-name-prefix "hw.")');
  expect(sysctls).not.toMatch(/proc(args|\.)(?!_translated)/);
  // libuv queries the host's port for the processors.
  expect(profile).toContain('(allow mach-host*)');
});

test('escapes paths in the profile', async () => {
  const odd = join(folder, 'a") (allow default) ("\\');
  await writeFile(odd, '');
  const profile = seatbeltProfile(plan([python], [odd]), '/private/work');
  expect(profile).toContain(`(literal "${folder}/a\\") (allow default) (\\"\\\\")`);
});

test('uses the work folder’s real path, which macOS has under /private', async () => {
  const [real, link] = [join(folder, 'private'), join(folder, 'var')];
  await mkdir(real);
  await symlink(real, link);
  vi.stubEnv('TMPDIR', link);
  const jail = underSeatbelt(plan([python, '-I'], [python]));
  try {
    expect(dirname(jail.cwd)).toBe(real);
    expect(basename(jail.file)).toBe('sandbox-exec');
    expect(jail.args).toEqual(['-p', expect.stringContaining(`(subpath "${jail.cwd}")`), python, '-I']);
    expect(jail.env).toMatchObject({ HOME: jail.cwd, TMPDIR: jail.cwd });
    expect(jail.env.HEFIX_JAIL).toContain(`work ${jail.cwd}`);
  } finally {
    await jail.release();
  }
});

test('macOS prefers seatbelt to ulimit, and Linux does not have it', () => {
  const names = (system: NodeJS.Platform) => levelsOn(system).map(({ name }) => name);
  expect(names('darwin')).toEqual(['seatbelt', 'ulimit']);
  expect(names('linux')).toEqual(['bubblewrap', 'namespaces', 'ulimit']);
  expect(names('freebsd')).toEqual(['ulimit']);
});

test('macOS uses seatbelt if sandbox-exec works, with a warning that memory is not limited', async () => {
  await writeFile(join(folder, 'sandbox-exec'), '#!/bin/sh\n[ "$1" = -p ] && shift 2 && exec "$@"\n');
  await chmod(join(folder, 'sandbox-exec'), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  const { executable } = await preparePython();
  const found = await detectIsolation({ python: executable, platform: 'darwin', requireIsolation: true });
  expect(found).toMatchObject({ level: 'seatbelt', outer: null, warning: expect.stringContaining('memory') });
});

test('macOS uses ulimit if sandbox-exec fails, with a warning that also names memory', async () => {
  await writeFile(join(folder, 'sandbox-exec'), '#!/bin/sh\necho "invalid profile" >&2; exit 65\n');
  await chmod(join(folder, 'sandbox-exec'), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  // Another spelling, because results are cached.
  const { executable } = await preparePython();
  const other = join(folder, 'python');
  await symlink(executable, other);
  const found = await detectIsolation({ python: other, platform: 'darwin' });
  expect(found.level).toBe('ulimit');
  expect(found.warning).toMatch(/address space; use --sandbox docker to isolate them\.$/);
  await expect(
    detectIsolation({ python: other, platform: 'darwin', wanted: 'seatbelt' }),
  ).rejects.toMatchObject({
    code: 'ISOLATION_UNAVAILABLE',
    message: expect.stringContaining('invalid profile'),
  });
});

test('a level of another system is reported as such', async () => {
  const { executable } = await preparePython();
  for (const [platform, wanted, system] of [
    ['linux', 'seatbelt', 'macOS'],
    ['darwin', 'bubblewrap', 'Linux'],
  ] as const)
    await expect(detectIsolation({ python: executable, platform, wanted })).rejects.toMatchObject({
      code: 'ISOLATION_UNAVAILABLE',
      message: expect.stringContaining(`${wanted}: only ${system} has it`),
    });
});
