import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Duplex, Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { once } from '../../core/async.ts';
import { tooManyFiles } from '../../files/errors.ts';
import type { InnerJail, Jail } from '../isolation/isolation.ts';
import { type MessageLimits, readMessages } from './messages.ts';

/** Processes in jails: started by this one, or forked by one of our own that has everything loaded. */

/** How a process ended: its exit status, or the signal that ended it. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process in its own jail. */
export interface StartedProcess {
  readonly child: Pick<ChildProcess, 'stdin' | 'stdout' | 'stderr' | 'stdio'> & {
    readonly pid?: number | undefined;
  };
  /** Errors of the process that started it, if that is another one. */
  readonly complaints?: CapturedOutput;
  /** Resolves once it has ended; never rejects. A process that could not be started has ended. */
  readonly exited: Promise<Exit>;
  hasExited(): boolean;
  /** Milliseconds that it has waited for a processor, where its `pid` does not tell. */
  waited?(): Promise<number>;
  /** Ends it and everything in its jail, without waiting. */
  kill(): void;
  /** Ends it, waits, closes its streams and removes what its jail has on the host. */
  destroy(): Promise<void>;
}

/**
 * What a descriptor of a process is connected to; a stream is handed over and is then no longer this
 * process's.
 */
type Descriptor = 'pipe' | 'ignore' | Duplex;

/**
 * Starts the processes that verdicts wait for, without execa, which starts most others:
 * docs/decisions/starting-programs.md has the reason and its measurement. The few processes that a sandbox asks before
 * its first execution are started without it too: loading execa takes longer than starting Node.
 */
export function startProcess(
  { file, args, cwd, env, release }: Jail,
  stdio: readonly [Descriptor, Descriptor, Descriptor, ...Descriptor[]],
  environment: Readonly<Record<string, string>>,
): StartedProcess {
  const child = spawn(file, args, {
    cwd,
    env: { ...env, ...environment },
    stdio: [...stdio],
    // Its own session and process group, which can be killed as a whole.
    detached: true,
  });
  // Node leaves the streams out where the system has no descriptors left for them, and reports it later.
  if ((child.stdio as ChildProcess['stdio'] | undefined) === undefined) {
    child.once('error', () => {});
    throw tooManyFiles();
  }
  // Writing to a process that has ended is reported by its exit, not by the broken pipe.
  for (const stream of child.stdio) stream?.on('error', () => {});
  let ended: Exit | undefined;
  const exited = new Promise<Exit>(resolve => {
    const end = (exit: Exit) => {
      ended = exit;
      resolve(exit);
    };
    child.once('exit', (code, signal) => end({ code, signal }));
    child.once('error', () => end({ code: null, signal: null }));
  });
  const kill = () => {
    if (ended !== undefined || child.pid === undefined) return;
    killGroup(child.pid);
    child.kill('SIGKILL');
  };
  const destroy = once(async () => {
    kill();
    await exited;
    // Again, for processes that the group started between the signal and its leader's end.
    if (child.pid !== undefined) killGroup(child.pid);
    for (const stream of child.stdio) stream?.destroy();
    await release();
  });
  return {
    child,
    exited,
    hasExited: () => ended !== undefined,
    kill,
    destroy,
  };
}

/** Ends the leader of a process group, and the group. */
export function killGroup(leader: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // It has ended already.
  }
}

/** One of our own processes, which forks others (python/programs/jail/forker.py); each has a number. */
interface Forker {
  readonly process: StartedProcess;
  /** Its errors, and those of its children that have no stream for them. */
  readonly complaints: CapturedOutput;
  /** Forks the child of that number; `programArguments` are its program's arguments. Resolves when it ends. */
  start(number: number, programArguments?: string): Promise<Exit>;
  kill(number: number): void;
  /** Sends it SIGALRM. */
  alarm(number: number): void;
  /** The child's number in this process's namespace; undefined where the system does not tell. */
  pid(number: number): number | undefined;
  /** This side of the child's descriptors. */
  streams(number: number): readonly Socket[];
}

/** At most three words a line, and two lines for each child. */
const lineLimits: MessageLimits = { bytes: 1024, total: 2 ** 26, messages: 2 ** 20 };
const maxComplaintBytes = 16 * 1024;
/** Milliseconds for reading what its children have written, once all have ended. */
const readMilliseconds = 1000;

/** `children` are the descriptors of each child, as many for all, which python/programs/jail/forker.py passes on to them. */
export function startForker(
  jail: Jail,
  children: readonly (readonly Descriptor[])[],
  environment: Readonly<Record<string, string>>,
): Forker {
  const started = startProcess(jail, ['pipe', 'pipe', 'pipe', ...children.flat()], environment);
  const each = children[0]?.length ?? 0;
  const { stdin, stdout, stderr } = started.child;
  const ends = new Map<number, (exit: Exit) => void>();
  /** As the forking process knows them. */
  const pids = new Map<number, number>();
  readMessages(stdout as Readable, 'lines', lineLimits, {
    onMessage(line) {
      const [number, word, pid] = line.toString('latin1').split(' ');
      if (word === 'pid') return void pids.set(Number(number), Number(pid));
      ends.get(Number(number))?.(exitOf(Number(word)));
      ends.delete(Number(number));
    },
    onExcess: started.kill,
  });
  started.exited.then(async () => {
    // Its children end with it.
    if (started.child.pid !== undefined) killGroup(started.child.pid);
    for (const end of ends.values()) end({ code: null, signal: null });
    // What they have written is read first. A process that escaped may hold a stream open.
    const closed = started.child.stdio.map(
      stream => stream && !stream.closed && new Promise(resolve => stream.once('close', resolve)),
    );
    await Promise.race([Promise.all(closed), pause(readMilliseconds, undefined, { ref: false })]);
    await started.destroy();
  });
  return {
    process: started,
    complaints: captureOutput(stderr as Readable, maxComplaintBytes),
    start(number, programArguments) {
      stdin?.write(`start ${number}${programArguments === undefined ? '' : ` ${programArguments}`}\n`);
      return new Promise(resolve => {
        if (started.hasExited()) resolve({ code: null, signal: null });
        else ends.set(number, resolve);
      });
    },
    kill(number) {
      if (ends.has(number)) stdin?.write(`kill ${number}\n`);
    },
    alarm(number) {
      if (ends.has(number)) stdin?.write(`alarm ${number}\n`);
    },
    pid(number) {
      const [root, inner] = [started.child.pid, pids.get(number)];
      return root === undefined || inner === undefined ? undefined : pidBelow(root, inner);
    },
    streams: number => started.child.stdio.slice(3 + number * each, 3 + (number + 1) * each) as Socket[],
  };
}

/**
 * From the format of Python's os.waitstatus_to_exitcode: the exit status, or the negative number of a signal.
 */
function exitOf(status: number): Exit {
  const [signal] = Object.entries(constants.signals).find(([, number]) => number === -status) ?? [];
  return signal === undefined
    ? { code: status, signal: null }
    : { code: null, signal: signal as NodeJS.Signals };
}

/** This side of a forked process's descriptors 0 to 3; null for those that it shares or lacks. */
type ForkedStreams = readonly [
  stdin: Socket | null,
  stdout: Socket | null,
  stderr: Socket | null,
  report: Socket | null,
];

/**
 * Forks the process of that number, into a jail inside the forker's unless that is null; `command` is what it becomes, if
 * anything.
 */
export function startForked(
  forker: Forker,
  number: number,
  jail: InnerJail | null,
  streams: ForkedStreams,
  command: readonly string[] = [],
): StartedProcess {
  const [stdin, stdout, stderr, report] = streams;
  let ended: Exit | undefined;
  const forkArguments = jail === null ? undefined : [jail.description, ...command].join('\t');
  const exited = forker.start(number, forkArguments).then(exit => {
    ended = exit;
    return exit;
  });
  const kill = () => forker.kill(number);
  const destroy = once(async () => {
    kill();
    await exited;
    for (const stream of streams) stream?.destroy();
    await jail?.release();
  });
  return {
    child: {
      ...{ stdin, stdout, stderr, stdio: [stdin, stdout, stderr, report, null] },
      get pid() {
        return forker.pid(number);
      },
    },
    complaints: forker.complaints,
    exited,
    hasExited: () => ended !== undefined,
    kill,
    destroy,
  };
}

/** Output of a process on one stream: the first bytes are kept, the rest is read and counted. */
export interface CapturedOutput {
  /** UTF-8, with U+FFFD in place of invalid bytes. */
  text(): string;
  droppedBytes(): number;
  /**
   * Resolves when the stream has ended or after some milliseconds, since a process that escaped may hold it
   * open.
   */
  ended(milliseconds: number): Promise<void>;
}

/** Bytes that are kept of the output of a candidate, on each stream. */
export const maxOutputBytes = 64 * 1024;

export function captureOutput(stream: Readable, maxBytes = maxOutputBytes): CapturedOutput {
  const pieces: Buffer[] = [];
  let size = 0;
  let dropped = 0;
  stream.on('data', (piece: Buffer) => {
    const take = Math.min(piece.length, maxBytes - size);
    if (take > 0) pieces.push(Buffer.from(piece.subarray(0, take)));
    size += take;
    dropped += piece.length - take;
  });
  const end = new Promise<void>(resolve => {
    stream.once('close', resolve);
    stream.once('end', resolve);
  });
  return {
    text: () => Buffer.concat(pieces).toString('utf8'),
    droppedBytes: () => dropped,
    async ended(milliseconds) {
      const late = new AbortController();
      const timer = pause(milliseconds, undefined, { signal: late.signal }).catch(() => {});
      await Promise.race([end, timer]);
      late.abort();
    },
  };
}

/** Once enough is kept, reads at most one chunk per millisecond, so that a flood of output does not fill our memory. */
export function captureSlowly(stream: Readable): CapturedOutput {
  let size = 0;
  stream.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size <= maxOutputBytes) return;
    stream.pause();
    setTimeout(() => stream.resume(), 1);
  });
  return captureOutput(stream);
}

/** How often a limit may be granted again on a busy system. */
const maxGrants = 4;
/** Milliseconds that are not worth waiting for. */
const negligible = 20;

/** Milliseconds that processes have waited for a processor. */
export type Waited = () => number | Promise<number>;

/**
 * Resolves when a limit is used up: `milliseconds` by the clock, and as long again as `waited` says that the processes
 * had to wait for a processor meanwhile, so that other load does not change a verdict. At most five
 * times the limit. Rejects with an AbortError.
 */
export async function timeLimit(milliseconds: number, waited: Waited, signal: AbortSignal): Promise<void> {
  let granted = 0;
  let next = milliseconds;
  while (next > negligible || granted === 0) {
    await pause(next, undefined, { signal });
    // This process may have had to wait too: what has arrived meanwhile is read first.
    await nextTurn(undefined, { signal });
    if (granted >= maxGrants * milliseconds) return;
    next = Math.min(await waited(), maxGrants * milliseconds) - granted;
    granted += Math.max(next, 1);
  }
}

/** The same for processes that run already: what they have waited before does not count. */
export async function timeLimitFromNow(
  milliseconds: number,
  waited: Waited,
  signal: AbortSignal,
): Promise<void> {
  const before = await waited();
  await timeLimit(milliseconds, async () => (await waited()) - before, signal);
}

/**
 * The longest time in milliseconds that a process, or one that it started, has waited for a processor since its start.
 * 0 where the system does not tell: it is Linux that counts it, for processes that have not ended.
 */
export function processorWait(pid: number | undefined): number {
  if (pid === undefined) return 0;
  // Nanoseconds on a processor, nanoseconds in the queue for one, turns.
  const waited = Number(read(`/proc/${pid}/schedstat`).split(' ')[1] ?? 0) / 1e6;
  return Math.max(waited, ...childrenOf(pid).map(processorWait));
}

/** The number, in this process's namespace, of a process that one below `root` started and knows as `inner`. */
export function pidBelow(root: number, inner: number): number | undefined {
  const depth = numbersOf(root).length;
  for (const child of childrenOf(root)) {
    if (numbersOf(child)[depth - 1] === inner) return child;
    const descendant = pidBelow(child, inner);
    if (descendant !== undefined) return descendant;
  }
  return undefined;
}

/** A process's numbers in all namespaces that it is in, outermost first. */
function numbersOf(pid: number): number[] {
  const line = /^NSpid:\t(.*)$/m.exec(read(`/proc/${pid}/status`))?.[1];
  return line === undefined ? [] : line.split(/\s+/).map(Number);
}

function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
