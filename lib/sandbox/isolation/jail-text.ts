import { readFileSync } from 'node:fs';
import { release } from 'node:os';
import type { IsolationLevel } from '../../core/verdict.ts';
import type { Network, Plan } from './jail.ts';
import { isOwnUser } from './mounts.ts';
import { type FilterRules, type MetadataCalls, seccompFilter } from './system-calls.ts';

/** The devices in a jail; none of them stores data. */
export const devices = ['/dev/null', '/dev/zero', '/dev/urandom'];

/** The work folder of a jail with its own root folder. */
export const workFolder = '/jail';

export interface JailText {
  readonly level: IsolationLevel;
  readonly plan: Plan;
  /** The unprivileged user to switch to; null to stay the current user. */
  readonly uid: number | null;
  /** Let that user read an interpreter that only root can read; Landlock then restricts the access. */
  readonly search?: boolean;
  /** The user that forked processes switch to. */
  readonly innerUid?: number | null;
  /** The work folder's path as seen by the process. */
  readonly work: string;
  /** Set for a process that forks others into their own jails, each with its own process limit. */
  readonly outer?: boolean;
  /** Files of the host that the jail shows under other names. */
  readonly shown?: readonly (readonly [from: string, to: string])[];
}

/**
 * The environment of a process in a jail. HEFIX_JAIL tells confine.py what to do, one
 * "name value" a line, because reading JSON would cost the interpreter a tenth of its start.
 */
export function jailEnvironment(jail: JailText): Record<string, string> {
  const { level, plan, uid, work, shown = [] } = jail;
  const { mounts, limits } = plan;
  const network = networkOf(jail);
  const newRoot = [
    'root /proc',
    ...linksIn(plan).map(([path, target]) => `link ${path}\t${target}`),
    ...shown.map(([from, to]) => `bind ${from}\t${to}`),
    ...(limits.showsProcesses ? ['proc yes'] : []),
  ];
  const seen = [...shown.map(([, to]) => to), ...(limits.showsProcesses ? ['/proc'] : [])];
  const lines = [
    ...mounts.paths.map(path => `read ${path}`),
    ...plan.executable.map(path => `execute ${path}`),
    ...(mayStart(jail) ? ['execute .'] : []),
    ...devices.map(path => `device ${path}`),
    ...(level === 'namespaces' ? newRoot : []),
    ...(hasNamespaces(level) ? seen.map(path => `see ${path}`) : []),
    ...(level === 'namespaces' || level === 'ulimit' ? [`parent ${process.pid}`] : []),
    ...(jail.outer && level !== 'ulimit' ? ['inner namespaces'] : []),
    ...plan.needs.map(name => `needs ${name}`),
    ...resourceLimits(jail).map(([name, soft, hard]) => `limit RLIMIT_${name} ${soft} ${hard}`),
    ...(uid === null ? [] : [`uid ${uid}`]),
    ...(jail.search ? ['search yes'] : []),
    ...(network === null ? [] : [`network ${network}`]),
    ...(level === 'bubblewrap' && plan.seal ? ['seal yes'] : []),
    `seccomp ${seccompFilter(plan.architecture, filterRules(jail)) ?? ''}`,
    `work ${work}`,
    `work_mib ${plan.limits.workFolderMiB}`,
  ];
  // The C locale makes Python use UTF-8 without reading locale files (PEP 540).
  return { HEFIX_JAIL: lines.join('\n'), LC_ALL: 'C', TZ: 'UTC', HOME: work, TMPDIR: work };
}

/** Symbolic links of the root folder. Processes share semaphores and memory through files in the first one. */
export function linksIn({ mounts, limits }: Plan): (readonly [path: string, target: string])[] {
  return [...(limits.mayFork ? [['/dev/shm', workFolder] as const] : []), ...mounts.links];
}

/** Processes end with their namespace, so starting others is allowed only where there is one. */
function mayStart({ plan, level }: JailText): boolean {
  return plan.limits.mayFork === true && hasNamespaces(level);
}

function filterRules(jail: JailText): FilterRules {
  const { plan } = jail;
  const mayKill = mayStart(jail);
  const mayFork = plan.forks === true || mayKill;
  return {
    mayExecute: plan.executable.length > 0 && (mayFork ? 'always' : 'once'),
    mayFork,
    mayKill,
    mayConnect: networkOf(jail) !== null,
    metadata: metadataCalls(jail),
  };
}

function networkOf({ plan, level }: JailText): Network | null {
  const { network = null } = plan.limits;
  return network === 'loopback' && !hasNamespaces(level) ? null : network;
}

function hasNamespaces(level: IsolationLevel): boolean {
  return level === 'bubblewrap' || level === 'namespaces';
}

/**
 * Where mounts outside the work folder are read-only, metadata cannot change. Elsewhere, a user that owns
 * nothing else cannot change modes, but anyone may set the times of files that everyone can write, such as
 * device files.
 */
function metadataCalls({ level, plan, uid, innerUid }: JailText): MetadataCalls {
  if (level === 'ulimit') return isOwnUser(innerUid ?? uid) ? 'modes' : 'none';
  return level === 'docker' || plan.needs.includes('devices') ? 'all' : 'modes';
}

type ResourceLimit = readonly [name: string, soft: number, hard: number];

function resourceLimits(jail: JailText): ResourceLimit[] {
  const { limits, executable } = jail.plan;
  const same = (name: string, value: number): ResourceLimit => [name, value, value];
  return [
    // V8 reserves far more addresses than it uses, so private writable memory is limited instead.
    same(executable.length > 0 ? 'DATA' : 'AS', limits.memoryMiB * 2 ** 20),
    // The first signal can be caught, the second cannot.
    ['CPU', limits.cpuSeconds, limits.cpuSeconds + 1],
    same('FSIZE', limits.fileSizeMiB * 2 ** 20),
    // The container counts its own processes.
    ...(jail.level === 'docker' || jail.outer ? [] : [same('NPROC', processLimit(jail))]),
    same('NOFILE', limits.openFiles),
    same('CORE', 0),
    same('MEMLOCK', 0),
    same('MSGQUEUE', 0),
  ];
}

/** The kernel counts processes per user and, since Linux 5.14, per user and user namespace. */
export function processLimit({ level, plan, uid }: JailText): number {
  // macOS counts processes but not threads; a limit of 1 refuses every fork.
  if (process.platform !== 'linux') return 1;
  const isCountedAlone = level === 'ulimit' ? uid !== null : isKernelAtLeast(5, 14);
  // One more for the jail's first process, which waits for the interpreter.
  return plan.limits.processes + 1 + (isCountedAlone ? 0 : tasksOnThisMachine());
}

function isKernelAtLeast(major: number, minor: number): boolean {
  const [first = 0, second = 0] = release().split('.').map(Number);
  return first > major || (first === major && second >= minor);
}

/** /proc/loadavg: "0.00 0.01 0.05 2/345 6789", where 345 is the number of all tasks. */
function tasksOnThisMachine(): number {
  return Number(readFileSync('/proc/loadavg', 'utf8').split(/[ /]/)[4]);
}
