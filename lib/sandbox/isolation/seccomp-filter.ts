import {
  allowed,
  type Condition,
  conditional,
  execution,
  forking,
  killing,
  modeCalls,
  type Numbers,
  refusedNewCalls,
  timeCalls,
} from './system-calls.ts';

/**
 * The system calls that a candidate may make, as a BPF program for seccomp(2): computing, memory, files,
 * threads, time, and pairs of connected sockets, which asyncio needs. Everything else is refused with an
 * error number, so that a candidate gets an exception where it tries. Among the refused: starting
 * processes and programs, sockets of any other kind, signals to others, ptrace, mounts, namespaces,
 * memory files, keys, io_uring, bpf, perf.
 */

/** Which calls may change modes and times of files: `modes` lets chmod through, `all` utimensat and truncate too. */
export type MetadataCalls = 'all' | 'modes' | 'none';

const architectures: Readonly<Record<string, { column: 0 | 1; audit: number }>> = {
  x64: { column: 0, audit: 0xc000003e },
  arm64: { column: 1, audit: 0xc00000b7 },
};

/** Instructions of classic BPF, and what seccomp reads out of a program's answer. */
const load = 0x20;
const and = 0x54;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const answer = 0x06;
const allow = 0x7fff0000;
const kill = 0x80000000;
const refuse = 0x00050001;
/** ENOSYS: the C library then takes the older call of the same purpose. */
const unknown = 0x00050026;

/** Calls from here on are newer than the ones refused by name; C libraries try them and have another way. */
const firstNewCall = 424;

export interface FilterRules {
  /** The rules for a process that still has to start its program. */
  readonly mayExecute?: boolean;
  /** The rules for a process that starts others: compilers start assemblers and linkers. */
  readonly mayFork?: boolean;
  /** May end other processes: only in jails with a process namespace of their own. */
  readonly mayKill?: boolean;
  readonly metadata: MetadataCalls;
}

/**
 * The program as hexadecimal text, 8 bytes an instruction, for confine.py; null where hefix has no table
 * for the architecture (`process.arch`).
 */
export function seccompFilter(
  architecture: string,
  { mayExecute = false, mayFork = false, mayKill = false, metadata }: FilterRules,
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
  if (mayKill) program.push(...check(number(killing), []));
  for (const [numbers, conditions] of conditional) program.push(...check(number(numbers), conditions));
  const plain = [
    ...Object.values(allowed),
    ...(mayExecute ? execution : []),
    ...(metadata === 'none' ? [] : modeCalls),
    ...(metadata === 'all' ? timeCalls : []),
  ];
  for (const call of plain) program.push(...check(number(call), []));
  // Behind those that are let through, so that fchmodat2 is refused by EPERM too where it is not.
  for (const call of [...modeCalls, ...refusedNewCalls]) program.push(...check(number(call), [], refuse));
  program.push([jumpIfAtLeast, 0, 1, firstNewCall], [answer, 0, 0, unknown], [answer, 0, 0, refuse]);
  return Buffer.concat(program.map(encode)).toString('hex');
}

/** Operation, how many instructions to skip if true and if false, operand. */
type Instruction = readonly [operation: number, ifTrue: number, ifFalse: number, operand: number];

/** Answers a call if its conditions hold; goes on behind with the call's number still loaded if it is another. */
function check(call: number | null, conditions: readonly Condition[], then = allow): Instruction[] {
  if (call === null) return [];
  const body = conditions.flatMap(({ argument, mask, values }): Instruction[] => [
    // The low half of the argument: the kernel reads these as 32 bits.
    [load, 0, 0, 16 + 8 * argument],
    [and, 0, 0, mask],
    ...values.map((value, i): Instruction => [jumpIfEqual, values.length - i, 0, value]),
    [answer, 0, 0, refuse],
  ]);
  return [[jumpIfEqual, 0, body.length + 1, call], ...body, [answer, 0, 0, then]];
}

function encode([operation, ifTrue, ifFalse, operand]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(operation, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(operand, 4);
  return bytes;
}
