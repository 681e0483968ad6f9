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
 * The system calls that a candidate may make, as a BPF program for seccomp(2): computation, memory, files,
 * threads, time, and the pairs of connected sockets that asyncio needs. All others fail with an error number,
 * so that a candidate gets an exception. They include starting processes and programs, all other sockets,
 * signals to other processes, ptrace, mounts, namespaces, memory files, keys, io_uring, bpf and perf.
 *
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

/**
 * Which calls may change modes and times of files: `modes` allows chmod, `all` also utimensat and truncate.
 */
export type MetadataCalls = 'all' | 'modes' | 'none';

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

/** [x86_64, aarch64]; null if the architecture has no such call. Source: the kernel's syscall tables. */
type Numbers = readonly [number | null, number | null];

/** All allowed values of a masked half of an argument; a call must meet all its conditions. */
interface Condition {
  readonly argument: number;
  /** Its high 32 bits; the low ones if omitted. */
  readonly isHigh?: true;
  readonly mask: number;
  readonly values: readonly number[];
}

/** Stands for the process's own id, which only the process itself can fill in. */
const selfPid = 0xdeadbeef;

/**
 * Stand for the low and high halves of the three addresses that the process passes to execve when it becomes its
 * program. It chooses them at random and fills them in; the program, in its new memory, does not know them.
 */
const startAddresses = [0xfeed0000, 0xfeed0001, 0xfeed0002, 0xfeed0003, 0xfeed0004, 0xfeed0005];

const allowed: Readonly<Record<string, Numbers>> = {
  read: [0, 63],
  write: [1, 64],
  close: [3, 57],
  stat: [4, null],
  fstat: [5, 80],
  lstat: [6, null],
  poll: [7, null],
  lseek: [8, 62],
  mmap: [9, 222],
  mprotect: [10, 226],
  munmap: [11, 215],
  brk: [12, 214],
  rt_sigaction: [13, 134],
  rt_sigprocmask: [14, 135],
  rt_sigreturn: [15, 139],
  pread64: [17, 67],
  pwrite64: [18, 68],
  readv: [19, 65],
  writev: [20, 66],
  access: [21, null],
  pipe: [22, null],
  select: [23, null],
  sched_yield: [24, 124],
  mremap: [25, 216],
  msync: [26, 227],
  mincore: [27, 232],
  madvise: [28, 233],
  dup: [32, 23],
  dup2: [33, null],
  pause: [34, null],
  nanosleep: [35, 101],
  getitimer: [36, 102],
  alarm: [37, null],
  setitimer: [38, 103],
  getpid: [39, 172],
  sendfile: [40, 71],
  sendto: [44, 206],
  recvfrom: [45, 207],
  sendmsg: [46, 211],
  recvmsg: [47, 212],
  shutdown: [48, 210],
  getsockname: [51, 204],
  getpeername: [52, 205],
  setsockopt: [54, 208],
  getsockopt: [55, 209],
  exit: [60, 93],
  wait4: [61, 260],
  uname: [63, 160],
  flock: [73, 32],
  fsync: [74, 82],
  fdatasync: [75, 83],
  ftruncate: [77, 46],
  getdents: [78, null],
  getcwd: [79, 17],
  chdir: [80, 49],
  fchdir: [81, 50],
  rename: [82, null],
  mkdir: [83, null],
  rmdir: [84, null],
  creat: [85, null],
  link: [86, null],
  unlink: [87, null],
  symlink: [88, null],
  readlink: [89, null],
  umask: [95, 166],
  gettimeofday: [96, 169],
  getrlimit: [97, 163],
  getrusage: [98, 165],
  sysinfo: [99, 179],
  times: [100, 153],
  getuid: [102, 174],
  getgid: [104, 176],
  geteuid: [107, 175],
  getegid: [108, 177],
  getppid: [110, 173],
  getpgrp: [111, null],
  getgroups: [115, 158],
  getresuid: [118, 148],
  getresgid: [120, 150],
  getpgid: [121, 155],
  getsid: [124, 156],
  rt_sigpending: [127, 136],
  rt_sigtimedwait: [128, 137],
  rt_sigsuspend: [130, 133],
  sigaltstack: [131, 132],
  statfs: [137, 43],
  fstatfs: [138, 44],
  sched_getparam: [143, 121],
  sched_getscheduler: [145, 120],
  arch_prctl: [158, null],
  setrlimit: [160, 164],
  gettid: [186, 178],
  time: [201, null],
  futex: [202, 98],
  sched_getaffinity: [204, 123],
  epoll_create: [213, null],
  getdents64: [217, 61],
  set_tid_address: [218, 96],
  restart_syscall: [219, 128],
  fadvise64: [221, 223],
  clock_gettime: [228, 113],
  clock_getres: [229, 114],
  clock_nanosleep: [230, 115],
  exit_group: [231, 94],
  epoll_wait: [232, null],
  epoll_ctl: [233, 21],
  waitid: [247, 95],
  mkdirat: [258, 34],
  newfstatat: [262, 79],
  unlinkat: [263, 35],
  renameat: [264, 38],
  linkat: [265, 37],
  symlinkat: [266, 36],
  readlinkat: [267, 78],
  faccessat: [269, 48],
  pselect6: [270, 72],
  ppoll: [271, 73],
  set_robust_list: [273, 99],
  epoll_pwait: [281, 22],
  timerfd_create: [283, 85],
  fallocate: [285, 47],
  timerfd_settime: [286, 86],
  timerfd_gettime: [287, 87],
  eventfd2: [290, 19],
  epoll_create1: [291, 20],
  dup3: [292, 24],
  pipe2: [293, 59],
  preadv: [295, 69],
  pwritev: [296, 70],
  getcpu: [309, 168],
  renameat2: [316, 276],
  getrandom: [318, 278],
  membarrier: [324, 283],
  copy_file_range: [326, 285],
  preadv2: [327, 286],
  pwritev2: [328, 287],
  statx: [332, 291],
  rseq: [334, 293],
  close_range: [436, 436],
  faccessat2: [439, 439],
  epoll_pwait2: [441, 441],
  futex_waitv: [449, 449],
};

/** chmod, fchmod, fchmodat, fchmodat2 */
const modeCalls: readonly Numbers[] = [
  [90, null],
  [91, 52],
  [268, 53],
  [452, 452],
];

/**
 * utimensat, truncate. The older calls that set times, and calls that set owners and extended attributes, are
 * never allowed.
 */
const timeCalls: readonly Numbers[] = [
  [280, 88],
  [76, 45],
];

/** Calls that are newer than `firstNewCall` and change metadata: setxattrat, removexattrat, file_setattr. */
const refusedNewCalls: readonly Numbers[] = [
  [463, 463],
  [466, 466],
  [469, 469],
];

/** Opening for reading with O_TRUNC, which empties the file; Landlock before 6.2 does not check it. */
const emptiesUnwritten = 0x200;
const accessAndTruncation = emptiesUnwritten | 0x3;
const honestAccess = [0, 1, 2, 3, 0x201, 0x202, 0x203];

const conditional: ReadonlyArray<readonly [Numbers, readonly Condition[]]> = [
  // clone: only threads, which share everything, and no namespaces (CLONE_THREAD, CLONE_NEW*).
  [[56, 220], [{ argument: 0, mask: 0x7e030000, values: [0x10000] }]],
  // kill, tgkill, tkill: only the process itself.
  [[62, 129], [{ argument: 0, mask: 0xffffffff, values: [selfPid] }]],
  [[234, 131], [{ argument: 0, mask: 0xffffffff, values: [selfPid] }]],
  [[200, 130], [{ argument: 0, mask: 0xffffffff, values: [selfPid] }]],
  // socketpair: AF_UNIX, SOCK_STREAM, which cannot send to other sockets.
  [
    [53, 199],
    [
      { argument: 0, mask: 0xffffffff, values: [1] },
      { argument: 1, mask: 0xf, values: [1] },
    ],
  ],
  // fcntl: duplicate, flags, locks and pipe sizes; not owners, which get signals, nor leases. See also `locking`.
  [[72, 25], [{ argument: 1, mask: 0xffffffff, values: [0, 1, 2, 3, 4, 5, 6, 7, 1030, 1032] }]],
  // ioctl: terminal check and size, bytes waiting, blocking mode, close on exec.
  [[16, 29], [{ argument: 1, mask: 0xffffffff, values: [0x5401, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451] }]],
  // prctl: the thread's name, and names of memory areas, which malloc sets.
  [[157, 167], [{ argument: 0, mask: 0xffffffff, values: [15, 16, 0x53564d41] }]],
  // open, openat
  [[2, null], [{ argument: 1, mask: accessAndTruncation, values: honestAccess }]],
  [[257, 56], [{ argument: 2, mask: accessAndTruncation, values: honestAccess }]],
  // prlimit64: only the process's own limits.
  [[302, 261], [{ argument: 0, mask: 0xffffffff, values: [0, selfPid] }]],
];

/**
 * Calls that take or release locks of files: flock, and fcntl with F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW. They
 * succeed without effect: a lock on a file that another candidate can open too would tell it something, and
 * a candidate has no other process to exclude.
 */
const locking: ReadonlyArray<readonly [Numbers, Condition | null]> = [
  [[73, 32], null],
  [[72, 25], { argument: 1, mask: 0xffffffff, values: [6, 7, 37, 38] }],
];

/** execve, also for the processes that the program starts. */
const execution: Numbers = [59, 221];

/** execve with the addresses that only the process knows which becomes its program: once. */
const startOnce: readonly Condition[] = startAddresses.map((value, index) => ({
  argument: index >> 1,
  mask: 0xffffffff,
  values: [value],
  ...(index % 2 === 1 && { isHigh: true }),
}));

/** clone without new namespaces (CLONE_NEW*), fork, vfork. Comes after clone's rule for threads. */
const forking: ReadonlyArray<readonly [Numbers, readonly Condition[]]> = [
  [[56, 220], [{ argument: 0, mask: 0x7e020000, values: [0] }]],
  [[57, null], []],
  [[58, null], []],
];

/** kill, tgkill, tkill, for any process in the same namespace; a process ends itself with the second. */
const killing: readonly Numbers[] = [
  [62, 129],
  [234, 131],
  [200, 130],
];

/**
 * socket: AF_INET, AF_INET6, AF_NETLINK, with which names are resolved. Not AF_UNIX: its abstract addresses are the
 * machine's.
 */
const opening: readonly [Numbers, readonly Condition[]] = [
  [41, 198],
  [{ argument: 0, mask: 0xffffffff, values: [2, 10, 16] }],
];

/** connect, accept, bind, listen, accept4, recvmmsg, sendmmsg */
const connecting: readonly Numbers[] = [
  [42, 203],
  [43, 202],
  [49, 200],
  [50, 201],
  [288, 242],
  [299, 243],
  [307, 269],
];
