import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Cell, InnerCell, OuterCell, Plan, ProcessIsolationLevel } from './cell.ts';
import { type CellText, cellEnvironment, devices, processLimit, workFolder } from './cell-text.ts';
import { userInside, userOutside } from './unprivileged-user.ts';
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
  const uid = userInside(view);
  const bytes = String(plan.limits.workFolderMiB * 2 ** 20);
  // Root first becomes another user inside; confine.py then makes the user namespace.
  const capabilities = [
    ...(uid === null ? [] : neededByRoot),
    ...(outer || plan.seal ? ['CAP_SYS_ADMIN'] : []),
  ];
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
  const uid = userInside(plan.view);
  const [file = '', ...args] = plan.argv;
  const env = cellEnvironment({ level: 'namespaces', plan, uid, work: workFolder, outer });
  return { file, args, env, cwd: '/', release: nothing };
}

function innerCells(level: ProcessIsolationLevel, plan: Plan): () => InnerCell {
  return () => {
    const uid = userInside(plan.view);
    return innerCell({ level, plan, uid, work: workFolder }, nothing);
  };
}

/** What a process can do to itself without namespaces: limits, and Landlock and seccomp where there are. */
function underUlimit(plan: Plan): Cell {
  const user = userOutside(plan.view);
  const work = createWorkFolder(user.uid);
  const [file = '', ...args] = plan.argv;
  const env = cellEnvironment({ level: 'ulimit', plan, ...user, work: work.path });
  return { file, args, env, cwd: work.path, release: work.remove };
}

/** A process that keeps its rights, to give them up in each of those that it forks. */
function aroundUlimit(plan: Plan): OuterCell {
  const [file = '', ...args] = plan.argv;
  const { uid: innerUid, search } = userOutside(plan.view);
  const env = cellEnvironment({
    ...{ level: 'ulimit', plan, uid: null, innerUid, search, work: '/', outer: true },
  });
  const inner = () => {
    const { uid } = userOutside(plan.view);
    const work = createWorkFolder(uid);
    return innerCell({ level: 'ulimit', plan, uid, work: work.path }, work.remove);
  };
  return { file, args, env, cwd: '/', release: nothing, inner };
}

function innerCell(cell: CellText, release: () => Promise<void>): InnerCell {
  return { words: `${cell.uid ?? ''} ${processLimit(cell)} ${cell.work}`, release };
}

async function nothing(): Promise<void> {}

export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/bin', '/usr/local/bin'];
  return folders
    .filter(isAbsolute)
    .map(folder => join(folder, name))
    .find(existsSync);
}
