import { chmodSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realPath } from '../../files/paths.ts';
import type { InnerJail, Jail, OuterJail, Plan, ProcessIsolationLevel } from './jail.ts';
import { devices, type JailText, jailEnvironment, linksIn, processLimit, workFolder } from './jail-text.ts';
import { foldersAround, userInside, userOutside } from './mounts.ts';
import { findProgram } from './programs.ts';
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
  return { description: `${jail.uid ?? ''} ${processLimit(jail)} ${jail.work}`, release };
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
  const abilities = open.length
    ? `candidates can ${new Intl.ListFormat('en-GB').format(open)}`
    : 'candidates share the process list and the folder names of this system';
  const how =
    platform === 'linux'
      ? 'install bubblewrap (apt-get install bubblewrap) or use --sandbox docker'
      : 'use --sandbox docker';
  return `The sandbox runs at its weakest level, ulimit: ${abilities}; ${how} to isolate them.`;
}

/**
 * The sandbox of macOS, sandbox-exec(1), with a profile that denies everything it does not list. It has not
 * run on macOS so far: only the profile's text and the command line are tested. The probe runs an interpreter
 * under it before the level is chosen; if macOS rejects the profile, the next level is used. The interpreter
 * may be started again from inside, under the same profile. macOS cannot limit a process's address space, so
 * memory is unlimited.
 */
export function underSeatbelt(plan: Plan): Jail {
  const user = userOutside(plan.mounts);
  const folder = createWorkFolder(user.uid);
  // Temporary folders are under /var, a link to /private/var, and the sandbox compares real paths only.
  const work = realpathSync(folder.path);
  const args = ['-p', seatbeltProfile(plan, work), ...plan.argv];
  const env = jailEnvironment({ level: 'seatbelt', plan, ...user, work });
  return {
    file: findProgram('sandbox-exec') ?? 'sandbox-exec',
    args,
    env,
    cwd: work,
    release: folder.remove,
  };
}

/** The profile in Apple's sandbox profile language; if several rules match, the last one decides. */
export function seatbeltProfile({ argv, mounts, executable, limits }: Plan, work: string): string {
  const reads = [...mounts.paths, ...systemFolders];
  const links = [...mounts.links.keys()];
  // The python3 of a framework build only starts the program inside its Python.app.
  const programs = [...new Set([...argv.slice(0, 1), ...executable].map(realPath))];
  return [
    '(version 1)',
    '(deny default)',
    // Operations that `default` does not cover.
    '(deny process-info* nvram* iokit-get-properties file-map-executable)',
    rule('process-exec', [...programs.map(exact), ...programs.flatMap(frameworkProgram)]),
    '(allow process-info* (target self))',
    '(allow signal (target self))',
    rule('file-read*', [...[...reads, work].map(below), ...[...devices, ...links, '/'].map(exact)]),
    rule('file-map-executable', reads.map(below)),
    // Parent folders, but not their contents.
    rule('file-read-metadata', foldersAround([...reads, ...links, ...devices, work]).map(exact)),
    rule('file-write*', [below(work)]),
    rule('file-write-data', [exact('/dev/null')]),
    ...(limits.network === 'machine'
      ? ['(allow network*)', '(allow system-socket)', '(allow mach-lookup)']
      : []),
    // For os.cpus(), which asks through the host's port, and os.cpu_count(). Listed by name, since all of them would
    // show the arguments of other processes.
    '(allow mach-host*)',
    rule('sysctl-read', [
      ...sysctls.map(name => `(sysctl-name ${quoted(name)})`),
      '(sysctl-name-prefix "hw.")',
    ]),
    // Names that Python's multiprocessing gives its locks.
    '(allow ipc-posix-sem (ipc-posix-name-regex #"^/mp-"))',
  ]
    .map(line => `${line}\n`)
    .join('');
}

/** System paths that programs need, and where libraries for all users are installed. */
const systemFolders = [
  '/usr/lib',
  '/System/Library',
  '/System/Cryptexes',
  '/System/Volumes/Preboot/Cryptexes',
  '/private/var/db/dyld',
  ...['/opt/homebrew', '/usr/local'].flatMap(root => ['Cellar', 'lib', 'opt'].map(name => `${root}/${name}`)),
];

const sysctls = (
  'kern.argmax kern.hostname kern.maxfilesperproc kern.maxproc kern.ngroups kern.osproductversion ' +
  'kern.osrelease kern.ostype kern.osvariant_status kern.osversion kern.secure_kernel ' +
  'kern.sysv.semmni kern.usrstack64 kern.version machdep.cpu.brand_string sysctl.proc_cputype ' +
  'sysctl.proc_translated vm.loadavg'
).split(' ');

function frameworkProgram(program: string): string[] {
  const version = /^(.*\/Python3?\.framework\/Versions\/[^/]+)\//.exec(program)?.[1];
  return version === undefined ? [] : [exact(`${version}/Resources/Python.app/Contents/MacOS/Python`)];
}

function rule(operation: string, filters: readonly string[]): string {
  return `(allow ${operation} ${[...new Set(filters)].join(' ')})`;
}

/** A file or folder without its contents. */
function exact(path: string): string {
  return `(literal ${quoted(path)})`;
}

/** A file, or a folder with its contents. */
function below(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? exact(path) : `(subpath ${quoted(path)})`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/**
 * The user of a jail by name, and what programs read about users and hosts. Of this system, it has at most the numbers of
 * user and group.
 */
interface NamedUser {
  /** Files of the host, and where the jail shows them. */
  readonly files: readonly (readonly [from: string, to: string])[];
  release(): Promise<void>;
}

export const userName = 'user';
const NOBODY = 65534;

/** @param uid null for the current user @param home of the user, in the jail */
function nameUser(uid: number | null, home: string): NamedUser {
  const id = uid ?? process.getuid?.() ?? 0;
  const group = uid ?? process.getgid?.() ?? 0;
  // A process without privileges may be in a namespace of users of its own, in which nobody has a number.
  const numbers = [...new Set(uid === null ? [id] : [id, NOBODY])];
  const root = id === 0 ? [] : ['root:x:0:0:root:/root:/bin/sh'];
  const rootGroup = group === 0 ? [] : ['root:x:0:'];
  const texts = {
    '/etc/passwd': [
      ...root,
      ...numbers.map(
        number => `${userName}:x:${number}:${number === id ? group : number}:${userName}:${home}:/bin/sh`,
      ),
    ],
    '/etc/group': [
      ...rootGroup,
      `${userName}:x:${group}:`,
      ...(uid === null ? [] : [`${userName}:x:${NOBODY}:`]),
    ],
    '/etc/hosts': ['127.0.0.1 localhost hefix', '::1 localhost'],
    '/etc/hostname': ['hefix'],
    '/etc/nsswitch.conf': ['passwd: files', 'group: files', 'hosts: files dns'],
  };
  const folder = createWorkFolder(null);
  chmodSync(folder.path, 0o755);
  const files = Object.entries(texts).map(([to, lines]) => {
    const from = join(folder.path, to.slice('/etc/'.length));
    writeFileSync(from, `${lines.join('\n')}\n`, { mode: 0o644 });
    return [from, to] as const;
  });
  return { files, release: folder.remove };
}
