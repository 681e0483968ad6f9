import { createRequire } from 'node:module';

/**
 * System calls of Linux that Node lacks, through koffi. Those that threads share in the C library, such as setuid, are
 * called directly: in a forked process, the library waits for threads that no longer exist.
 */
export interface Kernel {
  /** Throws an Error if the call fails. */
  call(name: SystemCall, ...args: Argument[]): number;
  /** The result, or -1. */
  attempt(name: SystemCall, ...args: Argument[]): number;
  /** The address of bytes, valid as long as these are in use. */
  address(bytes: Buffer): bigint;
  /** Forks with flags of clone(2). Returns 0 in the new process, which has this thread only. */
  fork(flags: number): number;
  /** Gives a forked process an event loop of its own. */
  renewEventLoop(): void;
  /** Whether requests or handles keep the event loop running. Timers in their callbacks are none. */
  isLoopAlive(): boolean;
  /** Ends the process at once: a usual exit waits for threads, which a forked process lacks. */
  exit(status: number): never;
}

/** Numbers, bytes or text for a pointer, or null. */
type Argument = number | bigint | Buffer | string | null;

/** On x64 and arm64. */
const numbers = {
  capset: [126, 91],
  clone: [56, 220],
  close: [3, 57],
  close_range: [436, 436],
  dup3: [292, 24],
  fcntl: [72, 25],
  getppid: [110, 173],
  landlock_add_rule: [445, 445],
  landlock_create_ruleset: [444, 444],
  landlock_restrict_self: [446, 446],
  mount: [165, 40],
  prctl: [157, 167],
  prlimit64: [302, 261],
  setgid: [106, 144],
  setgroups: [116, 159],
  setsid: [112, 157],
  setuid: [105, 146],
  unshare: [272, 97],
  wait4: [61, 260],
} as const;
export type SystemCall = keyof typeof numbers;

const columns: Readonly<Record<string, 0 | 1 | undefined>> = { x64: 0, arm64: 1 };

/** Whether this system's calls are known. */
export const hasKernel = process.platform === 'linux' && columns[process.arch] !== undefined;

/** What is used of koffi. */
interface Koffi {
  load(library: null): { func(name: string, result: string, parameters: readonly string[]): NativeFunction };
  address(bytes: Buffer): bigint;
  errno(): number;
}
type NativeFunction = (...args: readonly (number | bigint | Buffer | null)[]) => number | bigint;

/** All of the address space that a process can have, without its first pages. */
const [firstAddress, addresses] = [0x10000, 2 ** 52];
const MADV_DOFORK = 11;
const SIGCHLD = 17;

/** `koffi` is the path of the package. */
export function openKernel(koffi: string): Kernel {
  const { load, address, errno } = createRequire(import.meta.url)(koffi) as Koffi;
  const library = load(null);
  const column = columns[process.arch] ?? 0;
  const system = library.func('syscall', 'long', ['long', ...Array<string>(5).fill('void *')]);
  const madvise = library.func('madvise', 'int', ['uint64_t', 'uint64_t', 'int']);
  const exit = library.func('_exit', 'void', ['int']);
  const defaultLoop = library.func('uv_default_loop', 'void *', []);
  const renewLoop = library.func('uv_loop_fork', 'int', ['void *']);
  const loopAlive = library.func('uv_loop_alive', 'int', ['void *']);

  const attempt: Kernel['attempt'] = (name, ...args) => {
    const values = [0, 1, 2, 3, 4].map(i => pointer(args[i] ?? 0));
    return Number(system(numbers[name][column], ...values));
  };
  const call: Kernel['call'] = (name, ...args) => {
    const result = attempt(name, ...args);
    if (result < 0) throw new Error(`${name} failed with error ${errno()}`);
    return result;
  };
  return {
    call,
    attempt,
    address,
    fork(flags) {
      // V8 excludes its memory from forked processes. The call reports an error for the gaps, and goes on.
      madvise(firstAddress, addresses, MADV_DOFORK);
      return call('clone', flags | SIGCHLD);
    },
    renewEventLoop() {
      if (renewLoop(defaultLoop() as bigint) !== 0) throw new Error('no event loop');
    },
    isLoopAlive: () => loopAlive(defaultLoop() as bigint) !== 0,
    exit: status => exit(status) as never,
  };
}

function pointer(value: Argument): bigint | Buffer | null {
  if (typeof value === 'string') return Buffer.from(`${value}\0`);
  return typeof value === 'number' ? BigInt(value) : value;
}
