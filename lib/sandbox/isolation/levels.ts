import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { cellEnvironment, devices, workFolder } from './cell-text.ts';
import { foldersAround, isReadableByAll, type View, viewOf } from './interpreter.ts';
import type { Cell, Limits, ProcessIsolationLevel } from './isolation.ts';
import { seccompFilter } from './seccomp-filter.ts';
import { createWorkFolder } from './work-folder.ts';

/** What the cells of one isolation have in common. */
export interface Ground {
  /** All that the interpreter reads. */
  readonly files: readonly string[];
  /** What the probe found to hold, which every later cell has to hold too. */
  readonly needs: readonly string[];
}

type Command = (ground: Ground, argv: readonly string[], limits: Limits) => Cell;

/** How to start a process at each level; strongest first. */
export const levels: ReadonlyArray<readonly [ProcessIsolationLevel, Command]> = [
  ['bubblewrap', inBubblewrap],
  ['namespaces', inNamespaces],
  ['ulimit', underUlimit],
];

/** bwrap(1) makes the namespaces and the root folder; confine.py does the rest from inside. */
function inBubblewrap(ground: Ground, argv: readonly string[], limits: Limits): Cell {
  const view = viewOf([...ground.files, ...filesNamed(argv)]);
  const uid = unprivilegedUser(view, true);
  const bytes = String(limits.workFolderMiB * 2 ** 20);
  const args = [
    ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
    // Root first becomes another user inside; confine.py then makes the user namespace.
    ...(uid === null
      ? ['--unshare-user', '--cap-drop', 'ALL']
      : ['--cap-drop', 'ALL', '--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID']),
    ...['--hostname', 'hefix', '--new-session', '--die-with-parent'],
    // bwrap itself would make these folders for root alone.
    ...foldersAround([...view.paths, ...view.links.keys(), ...devices]).flatMap(folder => ['--dir', folder]),
    ...[...view.links].flatMap(([path, target]) => ['--symlink', target, path]),
    ...view.paths.flatMap(path => ['--ro-bind', path, path]),
    ...devices.flatMap(path => ['--dev-bind', path, path]),
    ...['--perms', '0777', '--size', bytes, '--tmpfs', workFolder, '--remount-ro', '/'],
    ...['--chdir', workFolder, '--', ...argv],
  ];
  const env = cellEnvironment({
    level: 'bubblewrap',
    limits,
    view,
    work: workFolder,
    needs: ground.needs,
    uid,
    seccomp: seccompFilter(process.arch),
  });
  return { file: findProgram('bwrap') ?? 'bwrap', args, env, cwd: '/', release: async () => {} };
}

/** confine.py makes the namespaces and the root folder by itself. */
function inNamespaces(ground: Ground, argv: readonly string[], limits: Limits): Cell {
  const view = viewOf([...ground.files, ...filesNamed(argv)]);
  const env = cellEnvironment({
    level: 'namespaces',
    limits,
    view,
    work: workFolder,
    needs: ground.needs,
    uid: unprivilegedUser(view, true),
    seccomp: seccompFilter(process.arch),
  });
  const [file = '', ...args] = argv;
  return { file, args, env, cwd: '/', release: async () => {} };
}

/** What a process can do to itself without namespaces: limits, and Landlock and seccomp where there are. */
function underUlimit(ground: Ground, argv: readonly string[], limits: Limits): Cell {
  const view = viewOf([...ground.files, ...filesNamed(argv)]);
  const uid = unprivilegedUser(view, false);
  const work = createWorkFolder(uid);
  const env = cellEnvironment({
    level: 'ulimit',
    limits,
    view,
    work: work.path,
    needs: ground.needs,
    uid,
    seccomp: seccompFilter(process.arch),
  });
  const [file = '', ...args] = argv;
  return { file, args, env, cwd: work.path, release: work.remove };
}

function filesNamed(argv: readonly string[]): string[] {
  return argv.slice(1).filter(word => isAbsolute(word) && existsSync(word));
}

/**
 * The user that root's cells run as: a number that nobody has, another one for each, from the range that
 * systemd's UIDS-GIDS.md lists as unused; `nobody` where a container has few numbers. Null for an ordinary
 * user, and for root if the interpreter lies where others cannot read: it then runs as root without
 * capabilities.
 */
function unprivilegedUser(view: View, ownRoot: boolean): number | null {
  if (process.geteuid?.() !== 0 || !isReadableByAll(view, ownRoot)) return null;
  if (process.platform !== 'linux') return nobody;
  const hasAllNumbers = /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'utf8'));
  return hasAllNumbers ? 1_900_000_000 + randomInt(1_000_000) : nobody;
}

const nobody = 65534;

export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/bin', '/usr/local/bin'];
  return folders
    .filter(isAbsolute)
    .map(folder => join(folder, name))
    .find(existsSync);
}
