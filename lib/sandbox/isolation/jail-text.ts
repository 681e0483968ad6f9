import { readFileSync } from 'node:fs';
import { release } from 'node:os';
import type { IsolationLevel } from '../../core/verdict.ts';
import type { Network, Plan } from './jail.ts';
import { isOwnUser } from './mounts.ts';
import {
  allowed,
  type Condition,
  conditional,
  connecting,
  execution,
  forking,
  killing,
  locking,
  modeCalls,
  type Numbers,
  opening,
  refusedNewCalls,
  startOnce,
  timeCalls,
} from './system-calls.ts';

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

/**
 * The system calls that a candidate may make, as a BPF program for seccomp(2): computation, memory, files,
 * threads, time, and the pairs of connected sockets that asyncio needs. All others fail with an error number,
 * so that a candidate gets an exception. They include starting processes and programs, all other sockets,
 * signals to other processes, ptrace, mounts, namespaces, memory files, keys, io_uring, bpf and perf.
 */

/**
 * Which calls may change modes and times of files: `modes` allows chmod, `all` also utimensat and truncate.
 */
type MetadataCalls = 'all' | 'modes' | 'none';

const architectures: Readonly<Record<string, { column: 0 | 1; audit: number }>> = {
  x64: { column: 0, audit: 0xc000003e },
  arm64: { column: 1, audit: 0xc00000b7 },
};

/** Instructions of classic BPF, and the fields of seccomp's data. */
const load = 0x20;
const and = 0x54;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const answer = 0x06;
const allow = 0x7fff0000;
const kill = 0x80000000;
const refuse = 0x00050001;
/** Returns 0, as if the call were made. */
const pretend = 0x00050000;
/** ENOSYS: the C library falls back to the older call. */
const unknown = 0x00050026;

/** Calls from this number on fail as if the kernel were older: C libraries then fall back to others. */
const firstNewCall = 424;

interface FilterRules {
  /** `once` is for a process that has yet to become its program, which then starts no other. */
  readonly mayExecute?: 'once' | 'always' | false;
  /** The rules for a process that starts others: compilers start assemblers and linkers. */
  readonly mayFork?: boolean;
  /** Allows signals to other processes, for jails with their own process namespace. */
  readonly mayKill?: boolean;
  /** Allows sockets of the Internet's protocols. */
  readonly mayConnect?: boolean;
  readonly metadata: MetadataCalls;
}

/**
 * The program as hexadecimal text, 8 bytes per instruction, for confine.py; null if hefix has no table for
 * the architecture (`process.arch`).
 */
function seccompFilter(
  architecture: string,
  { mayExecute = false, mayFork = false, mayKill = false, mayConnect = false, metadata }: FilterRules,
): string | null {
  const target = architectures[architecture];
  if (!target) return null;
  const number = (numbers: Numbers) => numbers[target.column];
  const program: Instruction[] = [
    [load, 0, 0, 4],
    [jumpIfEqual, 1, 0, target.audit],
    [answer, 0, 0, kill],
    [load, 0, 0, 0],
  ];
  if (mayFork)
    for (const [numbers, conditions] of forking) program.push(...check(number(numbers), conditions));
  // Compilers lock their own caches, which no other jail can open.
  if (!mayFork)
    for (const [numbers, condition] of locking) program.push(...ifMet(number(numbers), condition, pretend));
  if (mayKill) for (const numbers of killing) program.push(...check(number(numbers), []));
  if (mayConnect) program.push(...check(number(opening[0]), opening[1]));
  if (mayExecute) program.push(...check(number(execution), mayExecute === 'once' ? startOnce : []));
  for (const [numbers, conditions] of conditional) program.push(...check(number(numbers), conditions));
  const plain = [
    ...Object.values(allowed),
    ...(mayConnect ? connecting : []),
    ...(metadata === 'none' ? [] : modeCalls),
    ...(metadata === 'all' ? timeCalls : []),
  ];
  for (const call of plain) program.push(...check(number(call), []));
  // After the allowed calls, so that fchmodat2 fails with EPERM unless it is allowed.
  for (const call of [...modeCalls, ...refusedNewCalls]) program.push(...check(number(call), [], refuse));
  program.push([jumpIfAtLeast, 0, 1, firstNewCall], [answer, 0, 0, unknown], [answer, 0, 0, refuse]);
  return Buffer.concat(program.map(encode)).toString('hex');
}

/** Operation, instructions to skip if true and if false, operand. */
type Instruction = readonly [operation: number, ifTrue: number, ifFalse: number, operand: number];

/**
 * Returns an answer if the call's conditions hold; otherwise continues with the call's number still loaded.
 */
function check(call: number | null, conditions: readonly Condition[], then = allow): Instruction[] {
  if (call === null) return [];
  const body = conditions.flatMap(({ argument, isHigh = false, mask, values }): Instruction[] => [
    [load, 0, 0, 16 + 8 * argument + 4 * Number(isHigh)],
    [and, 0, 0, mask],
    ...values.map((value, i): Instruction => [jumpIfEqual, values.length - i, 0, value]),
    [answer, 0, 0, refuse],
  ]);
  return [[jumpIfEqual, 0, body.length + 1, call], ...body, [answer, 0, 0, then]];
}

/** Returns an answer if the call's condition holds; otherwise continues with the call's number loaded. */
function ifMet(call: number | null, condition: Condition | null, then: number): Instruction[] {
  if (call === null || condition === null) return check(call, [], then);
  const { argument, mask, values } = condition;
  const body: Instruction[] = [
    [load, 0, 0, 16 + 8 * argument],
    [and, 0, 0, mask],
    ...values.map((value, i): Instruction => [jumpIfEqual, values.length - i + 1, 0, value]),
    [load, 0, 0, 0],
    [jumpIfEqual, 1, 0, call],
    [answer, 0, 0, then],
  ];
  return [[jumpIfEqual, 0, body.length, call], ...body];
}

function encode([operation, ifTrue, ifFalse, operand]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(operation, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(operand, 4);
  return bytes;
}
