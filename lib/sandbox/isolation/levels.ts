import type { InnerJail, Jail, OuterJail, Plan, ProcessIsolationLevel } from './jail.ts';
import { devices, type JailText, jailEnvironment, linksIn, processLimit, workFolder } from './jail-text.ts';
import { foldersAround } from './mounts.ts';
import { type NamedUser, nameUser } from './named-user.ts';
import { findProgram } from './programs.ts';
import { underSeatbelt } from './seatbelt.ts';
import { userInside, userOutside } from './unprivileged-user.ts';
import { createWorkFolder } from './work-folder.ts';

/** How to start a process at an isolation level. */
export interface Level {
  readonly name: ProcessIsolationLevel;
  /** The only system that supports it; null for all systems. */
  readonly platform: 'linux' | 'darwin' | null;
  readonly jail: (plan: Plan) => Jail;
  /** Null if no jail can be made inside a jail. */
  readonly outerJail: ((plan: Plan) => OuterJail) | null;
}

/** Strongest first. */
export const levels: readonly Level[] = [
  {
    name: 'bubblewrap',
    platform: 'linux',
    jail: plan => inBubblewrap(plan, false),
    outerJail: plan => ({ ...inBubblewrap(plan, true), inner: innerJails('bubblewrap', plan) }),
  },
  {
    name: 'namespaces',
    platform: 'linux',
    jail: plan => inNamespaces(plan, false),
    outerJail: plan => ({ ...inNamespaces(plan, true), inner: innerJails('namespaces', plan) }),
  },
  // A process under a profile cannot apply another profile.
  { name: 'seatbelt', platform: 'darwin', jail: underSeatbelt, outerJail: null },
  { name: 'ulimit', platform: null, jail: underUlimit, outerJail: aroundUlimit },
];

/** The levels of a system, strongest first. */
export function levelsOn(system: NodeJS.Platform): readonly Level[] {
  return levels.filter(({ platform }) => platform === null || platform === system);
}

/**
 * bwrap(1) creates the namespaces and the root folder; confine.py does the rest from inside. A bwrap that is
 * too old to limit the work folder's size (`--size`) fails the probe, and the next level is used, which
 * limits it.
 */
function inBubblewrap(plan: Plan, outer: boolean): Jail {
  const { mounts, limits } = plan;
  const links = linksIn(plan);
  const uid = userInside(mounts);
  const user = limits.namesUser ? nameUser(uid, workFolder) : null;
  const shown = shownFiles(plan, user);
  const bytes = String(limits.workFolderMiB * 2 ** 20);
  // Root first becomes another user inside; confine.py then creates the user namespace.
  const capabilities = [
    ...(uid === null ? [] : neededByRoot),
    ...(outer || plan.seal ? ['CAP_SYS_ADMIN'] : []),
  ];
  const args = [
    ...['--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
    ...(limits.network === 'machine' ? [] : ['--unshare-net']),
    ...(uid === null ? ['--unshare-user'] : []),
    ...['--cap-drop', 'ALL', ...capabilities.flatMap(name => ['--cap-add', name])],
    ...['--hostname', 'hefix', '--new-session', '--die-with-parent'],
    // bwrap itself would create these folders for root only.
    ...foldersAround([
      ...mounts.paths,
      ...links.map(([path]) => path),
      ...shown.map(([, to]) => to),
      ...devices,
    ]).flatMap(folder => ['--dir', folder]),
    ...links.flatMap(([path, target]) => ['--symlink', target, path]),
    ...mounts.paths.flatMap(path => ['--ro-bind', path, path]),
    ...shown.flatMap(([from, to]) => ['--ro-bind', from, to]),
    ...(limits.showsProcesses ? ['--proc', '/proc'] : []),
    ...devices.flatMap(path => ['--dev-bind', path, path]),
    // Inner jails mount their own work folders there.
    ...(outer ? ['--dir', workFolder] : ['--perms', '0777', '--size', bytes, '--tmpfs', workFolder]),
    ...['--remount-ro', '/', '--chdir', workFolder, '--', ...plan.argv],
  ];
  const env = jailEnvironment({ level: 'bubblewrap', plan, uid, work: workFolder, outer, shown });
  return { file: findProgram('bwrap') ?? 'bwrap', args, env, cwd: '/', release: user?.release ?? nothing };
}

/** Files about the user that a jail shows under the name of others; not where one of those is shown itself. */
function shownFiles({ mounts }: Plan, user: NamedUser | null): NamedUser['files'] {
  return (user?.files ?? []).filter(([, to]) => !mounts.paths.includes(to) && !mounts.links.has(to));
}

/** Capabilities to become another user, and to end forked processes that have become one. */
const neededByRoot = ['CAP_SETUID', 'CAP_SETGID', 'CAP_KILL'];

/** confine.py creates the namespaces and the root folder itself. */
function inNamespaces(plan: Plan, outer: boolean): Jail {
  const uid = userInside(plan.mounts);
  const [file = '', ...args] = plan.argv;
  const user = plan.limits.namesUser ? nameUser(uid, workFolder) : null;
  const shown = shownFiles(plan, user);
  const env = jailEnvironment({ level: 'namespaces', plan, uid, work: workFolder, outer, shown });
  return { file, args, env, cwd: '/', release: user?.release ?? nothing };
}

function innerJails(level: ProcessIsolationLevel, plan: Plan): () => InnerJail {
  return () => {
    const uid = userInside(plan.mounts);
    return innerJail({ level, plan, uid, work: workFolder }, nothing);
  };
}

/** Restrictions without namespaces: limits, and Landlock and seccomp where available. */
function underUlimit(plan: Plan): Jail {
  const user = userOutside(plan.mounts);
  const work = createWorkFolder(user.uid);
  const [file = '', ...args] = plan.argv;
  const env = jailEnvironment({ level: 'ulimit', plan, ...user, work: work.path });
  return { file, args, env, cwd: work.path, release: work.remove };
}

/** A process that keeps its privileges, and drops them in each process that it forks. */
function aroundUlimit(plan: Plan): OuterJail {
  const [file = '', ...args] = plan.argv;
  const { uid: innerUid, search } = userOutside(plan.mounts);
  const env = jailEnvironment({
    ...{ level: 'ulimit', plan, uid: null, innerUid, search, work: '/', outer: true },
  });
  const inner = () => {
    const { uid } = userOutside(plan.mounts);
    const work = createWorkFolder(uid);
    return innerJail({ level: 'ulimit', plan, uid, work: work.path }, work.remove);
  };
  return { file, args, env, cwd: '/', release: nothing, inner };
}

function innerJail(jail: JailText, release: () => Promise<void>): InnerJail {
  return { words: `${jail.uid ?? ''} ${processLimit(jail)} ${jail.work}`, release };
}

async function nothing(): Promise<void> {}

/**
 * One sentence on what a level does not isolate on a system and how to fix that; null if it isolates
 * everything.
 */
export function weaknesses(
  level: ProcessIsolationLevel,
  holds: readonly string[],
  platform: NodeJS.Platform,
): string | null {
  if (level === 'seatbelt')
    return 'The sandbox runs at the level seatbelt: macOS does not limit the memory of candidates; use --sandbox docker to limit it.';
  if (level !== 'ulimit') return null;
  const open = [
    ...(holds.includes('landlock') ? [] : ['read and change your files']),
    ...(holds.includes('seccomp') ? [] : ['use the network', 'start and signal processes']),
    ...(platform === 'darwin' ? ['use all memory, since macOS has no limit on address space'] : []),
  ];
  const what = open.length
    ? `candidates can ${new Intl.ListFormat('en-GB').format(open)}`
    : 'candidates share the process list and the folder names of this system';
  const how =
    platform === 'linux'
      ? 'install bubblewrap (apt-get install bubblewrap) or use --sandbox docker'
      : 'use --sandbox docker';
  return `The sandbox runs at its weakest level, ulimit: ${what}; ${how} to isolate them.`;
}
