import { closeSync, constants, openSync, statSync } from 'node:fs';
import type { Kernel } from './kernel.ts';

/** A jail as HEFIX_JAIL describes it (lib/sandbox/isolation/jail-text.ts). */
export type JailText = Readonly<Record<string, readonly string[] | undefined>>;

export function parseJail(text: string): JailText {
  const jail: Record<string, string[]> = {};
  for (const line of text.split('\n')) {
    const [name = ''] = line.split(' ', 1);
    jail[name] = [...(jail[name] ?? []), line.slice(name.length + 1)];
  }
  return jail;
}

/** What differs between the jails of one description. */
export interface OwnJail {
  /** The process whose end ends this one; 0 if it is outside the namespace. */
  readonly parent: number;
  /** The user to become; null to stay the current one. */
  readonly uid: number | null;
  readonly processes: number;
  readonly work: string;
}

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWPID, NEWNET */
export const allNamespaces = 0x6e020000;

const [PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS] = [
  1, 4, 8, 22, 38,
];
const SIGKILL = 9;
const CLONE_NEWUSER = 0x10000000;

/**
 * Closes the jail of a forked process, as OuterJail.close of python/programs/jail/jails.py does for processes that
 * become another program: in the same order, with the same protections. Throws if one of the needed protections is
 * not in force. `keep` are the descriptors that stay open.
 */
export function closeJail(kernel: Kernel, jail: JailText, own: OwnJail, keep: readonly number[]): void {
  const hasNamespaces = jail.inner !== undefined;
  if (hasNamespaces) {
    dieWithParent(kernel, 0);
    // The first process of a namespace ignores signals that would end any other, so the second one continues.
    const child = kernel.fork(0);
    if (child > 0) waitFor(kernel, child);
  }
  closeDescriptors(kernel, keep);
  if (hasNamespaces) {
    kernel.call('mount', null, '/', null, MS_REC | MS_PRIVATE, null);
    const size = `size=${one(jail.work_mib)}m,nr_inodes=16k,mode=777`;
    kernel.call('mount', 'tmpfs', own.work, 'tmpfs', MS_NOSUID | MS_NODEV, size);
  }
  process.chdir(own.work);
  if (jail.search) kernel.call('prctl', PR_SET_KEEPCAPS, 1);
  become(kernel, own.uid);
  if (!hasNamespaces) dieWithParent(kernel, own.parent);
  dropPrivileges(kernel, jail, own.uid);
  const held = new Set(jail.held);
  if (restrictFiles(kernel, jail)) held.add('landlock');
  setLimits(kernel, [...(jail.limit ?? []), `RLIMIT_NPROC ${own.processes} ${own.processes}`]);
  if (filterCalls(kernel, one(jail.seccomp))) held.add('seccomp');
  // Inside the filter, where libuv finds that it cannot use io_uring.
  kernel.renewEventLoop();
  const missing = (jail.needs ?? []).filter(name => !held.has(name));
  if (missing.length > 0) throw new Error(`the jail does not hold: ${missing.join(' ')}`);
}

const [MS_NOSUID, MS_NODEV, MS_REC, MS_PRIVATE] = [2, 4, 0x4000, 0x40000];

function one(values: readonly string[] | undefined): string {
  return values?.[0] ?? '';
}

function dieWithParent(kernel: Kernel, parent: number): void {
  kernel.call('prctl', PR_SET_PDEATHSIG, SIGKILL);
  if (kernel.call('getppid') !== parent) kernel.exit(1);
}

/** Waits with all descriptors closed and exits as the child did, with 128 + N for signal N. */
function waitFor(kernel: Kernel, child: number): never {
  closeDescriptors(kernel, []);
  const status = Buffer.alloc(4);
  while (kernel.attempt('wait4', child, status) !== child);
  const signal = status.readInt32LE() & 0x7f;
  return kernel.exit(signal === 0 ? (status.readInt32LE() >> 8) & 0xff : 128 + signal);
}

function closeDescriptors(kernel: Kernel, keep: readonly number[]): void {
  let first = 0;
  for (const descriptor of [...new Set(keep)].sort((a, b) => a - b)) {
    if (descriptor > first) closeRange(kernel, first, descriptor - 1);
    first = descriptor + 1;
  }
  closeRange(kernel, first, 0xffff_ffff);
}

/** Without close_range, before Linux 5.9, as many as confine.py closes. */
function closeRange(kernel: Kernel, first: number, last: number): void {
  if (kernel.attempt('close_range', first, last, 0) === 0) return;
  for (let descriptor = first; descriptor <= Math.min(last, 4096); descriptor++)
    kernel.attempt('close', descriptor);
}

function become(kernel: Kernel, uid: number | null): void {
  if (uid === null) return;
  kernel.call('setgroups', 0, null);
  kernel.call('setgid', uid);
  kernel.call('setuid', uid);
}

function dropPrivileges(kernel: Kernel, jail: JailText, uid: number | null): void {
  kernel.call('prctl', PR_SET_NO_NEW_PRIVS, 1);
  kernel.call('prctl', PR_SET_DUMPABLE, 0);
  // Gives the process its own count of processes. Some systems forbid it; the user is changed anyway.
  if ((uid !== null || jail.inner) && !jail.search) kernel.attempt('unshare', CLONE_NEWUSER);
  // The interpreter may be readable by root only: keeps CAP_DAC_READ_SEARCH and nothing else.
  const kept = jail.search ? 1 << 2 : 0;
  const header = Buffer.alloc(8);
  header.writeUInt32LE(0x20080522);
  const sets = Buffer.alloc(24);
  for (const offset of [0, 4]) sets.writeUInt32LE(kept, offset);
  kernel.call('capset', header, sets);
}

/** Restricts files, TCP, signals and abstract sockets, as far as this kernel's version of Landlock can. */
function restrictFiles(kernel: Kernel, jail: JailText): boolean {
  const version = kernel.attempt('landlock_create_ruleset', null, 0, 1);
  if (version < 1) return false;
  // Version 1 has 13 file rights, 2 adds REFER, 3 TRUNCATE, 5 IOCTL_DEV.
  const rights = 2 ** (13 + Number(version >= 2) + Number(version >= 3) + Number(version >= 5)) - 1;
  const attributes = [
    rights,
    // TCP: bind and connect; abstract sockets, and signals to processes outside.
    ...(version >= 4 ? [jail.network ? 0 : 3] : []),
    ...(version >= 6 ? [3] : []),
  ];
  const described = Buffer.alloc(8 * attributes.length);
  for (const [i, value] of attributes.entries()) described.writeBigUInt64LE(BigInt(value), 8 * i);
  const ruleset = kernel.call('landlock_create_ruleset', described, described.length, 0);
  const allow = (path: string, allowed: number): void => {
    const folder = openSync(path, O_PATH);
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(BigInt(allowed));
    rule.writeInt32LE(folder, 8);
    kernel.call('landlock_add_rule', ruleset, 1, rule, 0);
    closeSync(folder);
  };
  const [execute, write, read, readFolder] = [1 << 0, 1 << 1, 1 << 2, 1 << 3];
  const readable = (path: string): number => read | (statSync(path).isDirectory() ? readFolder : 0);
  for (const path of jail.read ?? []) allow(path, readable(path));
  for (const path of jail.execute ?? []) allow(path, readable(path) | execute);
  for (const path of jail.device ?? []) allow(path, read | write);
  // All rights except EXECUTE, MAKE_CHAR, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK and IOCTL_DEV.
  const refused = (1 << 0) | (1 << 6) | (1 << 9) | (1 << 10) | (1 << 11) | (1 << 15);
  allow('.', rights & ~refused);
  kernel.call('landlock_restrict_self', ruleset, 0);
  closeSync(ruleset);
  return true;
}

const O_PATH = 0o10000000 | constants.O_RDONLY;

const limits = {
  RLIMIT_CPU: 0,
  RLIMIT_FSIZE: 1,
  RLIMIT_DATA: 2,
  RLIMIT_CORE: 4,
  RLIMIT_NPROC: 6,
  RLIMIT_NOFILE: 7,
  RLIMIT_MEMLOCK: 8,
  RLIMIT_AS: 9,
  RLIMIT_MSGQUEUE: 12,
} as const;

/** Each is "name soft hard"; none exceeds the present hard limit. */
function setLimits(kernel: Kernel, lines: readonly string[]): void {
  for (const line of lines) {
    const [name = '', ...values] = line.split(' ');
    const kind = limits[name as keyof typeof limits];
    if (kind === undefined) throw new Error(`no limit ${name}`);
    const limit = Buffer.alloc(16);
    kernel.call('prlimit64', 0, kind, null, limit);
    const most = limit.readBigUInt64LE(8);
    for (const [i, value] of values.entries()) {
      const wanted = BigInt(value);
      limit.writeBigUInt64LE(wanted < most ? wanted : most, 8 * i);
    }
    kernel.call('prlimit64', 0, kind, limit, null);
  }
}

/** Loads the filter, with this process's number filled in. It becomes no other program, so no address is allowed. */
function filterCalls(kernel: Kernel, program: string): boolean {
  if (program === '') return false;
  const code = Buffer.from(program, 'hex');
  for (let at = code.indexOf(ownNumber); at >= 0; at = code.indexOf(ownNumber, at))
    code.writeUInt32LE(process.pid, at);
  for (const word of startAddresses) code.fill(0xff, code.indexOf(word), code.indexOf(word) + 4);
  // struct sock_fprog: number of 8-byte instructions, padding, address
  const header = Buffer.alloc(16);
  header.writeUInt16LE(code.length / 8);
  header.writeBigUInt64LE(kernel.address(code), 8);
  return kernel.attempt('prctl', PR_SET_SECCOMP, 2, header) === 0;
}

/** Stands for the process's number in a filter. */
const ownNumber = Buffer.from('efbeadde', 'hex');

/** Stand for the addresses with which a process becomes its program (lib/sandbox/isolation/system-calls.ts). */
const startAddresses = [0, 1, 2, 3, 4, 5].map(index => Buffer.from(`0${index}00edfe`, 'hex'));
