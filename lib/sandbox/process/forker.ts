import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { once } from '../../core/async/once.ts';
import type { InnerJail, Jail } from '../isolation/isolation.ts';
import { type CapturedOutput, captureOutput } from './captured-output.ts';
import { type MessageLimits, readMessages } from './read-messages.ts';
import {
  type Descriptor,
  type Exit,
  killGroup,
  type StartedProcess,
  startProcess,
} from './started-process.ts';
import { pidBelow } from './time-limit.ts';

/** One of our own processes, which forks others (python/programs/jail/forker.py); each has a number. */
export interface Forker {
  readonly process: StartedProcess;
  /** Its errors, and those of its children that have no stream for them. */
  readonly complaints: CapturedOutput;
  /** Forks the child of that number; `words` are its program's arguments. Resolves when it ends. */
  start(number: number, words?: string): Promise<Exit>;
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
    start(number, words) {
      stdin?.write(`start ${number}${words === undefined ? '' : ` ${words}`}\n`);
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
  const words = jail === null ? undefined : [jail.words, ...command].join('\t');
  const exited = forker.start(number, words).then(exit => {
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
