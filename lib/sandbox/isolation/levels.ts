import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Cell, InnerCell, OuterCell, Plan, ProcessIsolationLevel } from './cell.ts';
import { type CellText, cellEnvironment, devices, processLimit, workFolder } from './cell-text.ts';
import { foldersAround } from './view.ts';
import { createWorkFolder } from './work-folder.ts';

/** How to start a process at a level of isolation. */
export interface Level {
  readonly name: ProcessIsolationLevel;
  cell(plan: Plan): Cell;
  outerCell(plan: Plan): OuterCell;
}

/** Strongest first. */
export const levels: readonly Level[] = [
  {
    name: 'bubblewrap',
    cell: plan => inBubblewrap(plan, false),
    outerCell: plan => ({ ...inBubblewrap(plan, true), inner: innerCells('bubblewrap', plan) }),
  },
  {
    name: 'namespaces',
    cell: plan => inNamespaces(plan, false),
    outerCell: plan => ({ ...inNamespaces(plan, true), inner: innerCells('namespaces', plan) }),
  },
  { name: 'ulimit', cell: underUlimit, outerCell: aroundUlimit },
];

/**
 * bwrap(1) makes the namespaces and the root folder; confine.py does the rest from inside. One that is too old to
 * limit the work folder's size (`--size`) fails the probe, and the next level is taken, which limits it.
 */
function inBubblewrap(plan: Plan, outer: boolean): Cell {
  const { view } = plan;
  const uid = unprivilegedUser(view.openInside, neededInside);
  const bytes = String(plan.limits.workFolderMiB * 2 ** 20);
  // Root first becomes another user inside; confine.py then makes the user namespace.
  const capabilities = [...(uid === null ? [] : neededByRoot), ...(outer ? ['CAP_SYS_ADMIN'] : [])];
  const args = [
    ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
    ...(uid === null ? ['--unshare-user'] : []),
    ...['--cap-drop', 'ALL', ...capabilities.flatMap(name => ['--cap-add', name])],
    ...['--hostname', 'hefix', '--new-session', '--die-with-parent'],
    // bwrap itself would make these folders for root alone.
    ...foldersAround([...view.paths, ...view.links.keys(), ...devices]).flatMap(folder => ['--dir', folder]),
    ...[...view.links].flatMap(([path, target]) => ['--symlink', target, path]),
    ...view.paths.flatMap(path => ['--ro-bind', path, path]),
    ...devices.flatMap(path => ['--dev-bind', path, path]),
    // Inner cells each put a work folder of their own there.
    ...(outer ? ['--dir', workFolder] : ['--perms', '0777', '--size', bytes, '--tmpfs', workFolder]),
    ...['--remount-ro', '/', '--chdir', workFolder, '--', ...plan.argv],
  ];
  const env = cellEnvironment({ level: 'bubblewrap', plan, uid, work: workFolder, outer });
  return { file: findProgram('bwrap') ?? 'bwrap', args, env, cwd: '/', release: nothing };
}

/** To become another user, and for a process that forks others to end them once they have become one. */
const neededByRoot = ['CAP_SETUID', 'CAP_SETGID', 'CAP_KILL'];

/** confine.py makes the namespaces and the root folder by itself. */
function inNamespaces(plan: Plan, outer: boolean): Cell {
  const uid = unprivilegedUser(plan.view.openInside, neededInside);
  const [file = '', ...args] = plan.argv;
  const env = cellEnvironment({ level: 'namespaces', plan, uid, work: workFolder, outer });
  return { file, args, env, cwd: '/', release: nothing };
}

function innerCells(level: ProcessIsolationLevel, plan: Plan): () => InnerCell {
  return () => {
    const uid = unprivilegedUser(plan.view.openInside, neededInside);
    return innerCell({ level, plan, uid, work: workFolder }, nothing);
  };
}

/** What a process can do to itself without namespaces: limits, and Landlock and seccomp where there are. */
function underUlimit(plan: Plan): Cell {
  const uid = unprivilegedUser(plan.view.openOutside, neededOutside);
  const work = createWorkFolder(uid);
  const [file = '', ...args] = plan.argv;
  const env = cellEnvironment({ level: 'ulimit', plan, uid, work: work.path });
  return { file, args, env, cwd: work.path, release: work.remove };
}

/** A process that keeps its rights, to give them up in each of those that it forks. */
function aroundUlimit(plan: Plan): OuterCell {
  const [file = '', ...args] = plan.argv;
  const env = cellEnvironment({ level: 'ulimit', plan, uid: null, work: '/', outer: true });
  const inner = () => {
    const uid = unprivilegedUser(plan.view.openOutside, neededOutside);
    const work = createWorkFolder(uid);
    return innerCell({ level: 'ulimit', plan, uid, work: work.path }, work.remove);
  };
  return { file, args, env, cwd: '/', release: nothing, inner };
}

function innerCell(cell: CellText, release: () => Promise<void>): InnerCell {
  return { words: `${cell.uid ?? ''} ${processLimit(cell)} ${cell.work}`, release };
}

async function nothing(): Promise<void> {}

/**
 * The user that root's cells run as: a number that nobody has, another one for each, from the range that
 * systemd's UIDS-GIDS.md lists as unused; `nobody` where a container has few numbers. Null for an ordinary
 * user, for a root who lacks what it takes, and if the interpreter lies where others cannot read: the process
 * then stays who it is, without capabilities.
 */
function unprivilegedUser(canRead: boolean, needed: ReadonlyArray<keyof typeof capabilities>): number | null {
  if (process.geteuid?.() !== 0 || !canRead) return null;
  if (process.platform !== 'linux') return nobody;
  const held = BigInt(
    `0x${/^CapEff:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`,
  );
  if (needed.some(name => !((held >> capabilities[name]) & 1n))) return null;
  const hasAllNumbers = /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'utf8'));
  return hasAllNumbers ? 1_900_000_000 + randomInt(1_000_000) : nobody;
}

const neededOutside = ['CHOWN', 'SETGID', 'SETUID'] as const;
const neededInside = [...neededOutside, 'SYS_ADMIN'] as const;

/** Bits of the kernel's capability sets: capabilities(7). */
const capabilities = { CHOWN: 0n, SETGID: 6n, SETUID: 7n, SYS_ADMIN: 21n };
const nobody = 65534;

export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/bin', '/usr/local/bin'];
  return folders
    .filter(isAbsolute)
    .map(folder => join(folder, name))
    .find(existsSync);
}
