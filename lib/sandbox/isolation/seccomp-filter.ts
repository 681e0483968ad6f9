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

/**
 * The system calls that a candidate may make, as a BPF program for seccomp(2): computation, memory, files,
 * threads, time, and the pairs of connected sockets that asyncio needs. All others fail with an error number,
 * so that a candidate gets an exception. They include starting processes and programs, all other sockets,
 * signals to other processes, ptrace, mounts, namespaces, memory files, keys, io_uring, bpf and perf.
 */

/**
 * Which calls may change modes and times of files: `modes` allows chmod, `all` also utimensat and truncate.
 */
export type MetadataCalls = 'all' | 'modes' | 'none';

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

export interface FilterRules {
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
export function seccompFilter(
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
