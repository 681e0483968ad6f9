import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { once } from '../../core/async.ts';
import type { Isolation, Jail, JailFiles, Limits, OuterJail } from '../isolation/isolation.ts';
import type { PythonPrograms } from '../python/host/python-programs.ts';
import {
  type CapturedOutput,
  captureOutput,
  processorWait,
  type StartedProcess,
  startForked,
  startForker,
  startProcess,
  type Waited,
} from './started-process.ts';

/**
 * Each execution runs in two new processes, which are connected to each other: a judge and a candidate. They are started
 * in batches: where jails can be made inside a jail, the processes of a batch are forked from two that have everything
 * loaded, which takes a third of the processor time of starting them one by one.
 */

/** The two processes of one execution, connected to each other, and this process's connection to the judge. */
export interface Pair {
  readonly judge: StartedProcess;
  readonly candidate: StartedProcess;
  readonly channel: Socket;
  /** Output of the candidate. */
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /** Errors of the judge. */
  readonly complaints: CapturedOutput;
  /** Milliseconds that the processes have waited for a processor; see processorWait. */
  readonly waited: Waited;
  /** Tells the judge that its time is up, if that can be told. */
  readonly timeUp?: (() => void) | undefined;
  isUsable(): boolean;
  destroy(): Promise<void>;
}

/** What starts a judge or a candidate. */
export interface Command {
  /** The first word is an absolute path. */
  readonly argv: readonly string[];
  /** Its own files, for where it is not in the folder of all of them. */
  readonly readable?: readonly string[];
}

/** Pairs that were started before they are needed; each is used once. */
export interface WarmPool {
  /** One that is ready, or a new one. */
  take(): Pair;
  /** Starts as many as are missing. */
  refill(): void;
  /** Takes all out, to be destroyed. */
  drain(): Pair[];
}

/** @param discard gets those that ended before they were used */
export function createWarmPool(size: number, start: () => Pair, discard: (pair: Pair) => void): WarmPool {
  const ready: Pair[] = [];
  return {
    take() {
      for (let pair = ready.shift(); pair !== undefined; pair = ready.shift()) {
        if (pair.isUsable()) return pair;
        discard(pair);
      }
      return start();
    },
    refill() {
      while (ready.length < size) ready.push(start());
    },
    drain: () => ready.splice(0),
  };
}

/** Starts pairs, one batch after the other. */
export interface Pairs {
  start(judge: Command, candidate: Command): Pair;
  /** Starts a batch ahead if so few pairs can still be started in the present ones. */
  prepare(spare: number): void;
  close(): Promise<void>;
}

/** The processes that judges and candidates of several executions are started from. */
export interface Batch {
  readonly judges: Judges;
  readonly candidates: Candidates;
}

/** @param capture how the candidates' output is read */
export function createPairs(startBatch: () => Batch, capture: Capture = captureOutput): Pairs {
  /** With the number of their pairs that are not destroyed yet. */
  const batches = new Map<Batch, number>();
  const left = ({ judges, candidates }: Batch) => (candidates.isOver() ? 0 : judges.left());
  const addBatch = (): Batch => {
    const batch = startBatch();
    batches.set(batch, 0);
    return batch;
  };
  const end = async (batch: Batch): Promise<void> => {
    batches.delete(batch);
    await Promise.all([batch.judges.destroy(), batch.candidates.destroy()]);
  };
  const startIn = (batch: Batch, judge: Command, candidate: Command): Pair | null => {
    const started = left(batch) === 0 ? null : batch.judges.start(judge);
    if (!started) return null;
    const change = (by: number) => {
      const running = (batches.get(batch) ?? 0) + by;
      if (batches.has(batch)) batches.set(batch, running);
      return running;
    };
    change(1);
    const release = async () => {
      if (change(-1) === 0 && left(batch) === 0) await end(batch);
    };
    return pairOf(started, batch.candidates.start(started, candidate), { release, capture });
  };
  return {
    start(judge, candidate) {
      for (const batch of batches.keys()) {
        const pair = startIn(batch, judge, candidate);
        if (pair) return pair;
      }
      const pair = startIn(addBatch(), judge, candidate);
      if (!pair) throw new Error('a new batch starts no judge');
      return pair;
    },
    prepare(spare) {
      const total = [...batches.keys()].reduce((sum, batch) => sum + left(batch), 0);
      if (total <= spare) addBatch();
    },
    async close() {
      await Promise.all([...batches.keys()].map(end));
    },
  };
}

type Capture = (stream: Readable) => CapturedOutput;

/** A judge, and the candidate that has got the other end of its line. `release` is called once both are destroyed. */
export function pairOf(
  { process: judge, channel, complaints, timeUp }: Omit<StartedJudge, 'number' | 'line'>,
  candidate: StartedProcess,
  {
    release,
    capture = captureOutput,
  }: { readonly release?: () => Promise<void>; readonly capture?: Capture } = {},
): Pair {
  // A judge may have waited for earlier executions.
  const before = processorWait(judge.child.pid);
  return {
    ...{ judge, candidate, channel, complaints, timeUp },
    stdout: capture(candidate.child.stdout as Readable),
    stderr: capture(candidate.child.stderr as Readable),
    waited: async () => {
      const candidates = candidate.waited?.() ?? processorWait(candidate.child.pid);
      return processorWait(judge.child.pid) - before + (await candidates);
    },
    isUsable: () => !judge.hasExited() && !candidate.hasExited(),
    destroy: once(async () => {
      await Promise.all([judge.destroy(), candidate.destroy()]);
      await release?.();
    }),
  };
}

/** Judges of several executions, whose lines to the candidates exist before they start. */
export interface Judges {
  /** The candidates' ends of the lines, by number. */
  readonly lines: readonly Socket[];
  /** Starts the next one; null if none is left, or none can start at the moment. */
  start(judge: Command): StartedJudge | null;
  /** How many can still be started. */
  left(): number;
  destroy(): Promise<void>;
}

export interface StartedJudge extends Pick<Pair, 'timeUp'> {
  readonly number: number;
  /** The candidate's end of the connection between the two. */
  readonly line: Socket;
  readonly process: StartedProcess;
  /** This process's connection to it. */
  readonly channel: Socket;
  readonly complaints: CapturedOutput;
}

/** Starts candidates on the lines of a batch of judges. */
export interface Candidates {
  start(judge: Pick<StartedJudge, 'number' | 'line'>, candidate: Command): StartedProcess;
  /** Whether none can be started any more. */
  isOver(): boolean;
  destroy(): Promise<void>;
}

/** What judges or candidates read and execute. */
export interface RoleFiles extends JailFiles {
  /** To which their own files are added; each reads only the one that its command names. */
  readonly folder?: string;
  /** A program that forks itself for each execution, if it can here; their own commands are started otherwise. */
  readonly forkServer?: readonly string[] | undefined;
}

export interface ProgramBatch {
  readonly judges: RoleFiles;
  readonly candidates: RoleFiles;
  /** Variables that both need, in addition to those of the jail. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Starts a process that runs one judge after the other, for languages whose programs take long to start. */
  readonly startJudges?: (() => Judges) | undefined;
  readonly isolation: Isolation;
  readonly python: PythonPrograms;
  readonly limits: Limits;
  /** Number of executions whose processes are forked from one pair of processes; `pairsAtOnce` unless given. */
  readonly atOnce?: number;
}

export const pairsAtOnce = 16;
/** The descriptors of a forked judge, whose output is discarded, and of a candidate. */
export const judgeDescriptors = [0, 2, 3];
export const candidateDescriptors = [0, 1, 2];

/** A batch of programs: each judge and each candidate is a command. */
export function startPrograms({
  judges: judgeFiles,
  candidates: candidateFiles,
  environment = {},
  startJudges,
  isolation,
  python,
  limits,
  atOnce = pairsAtOnce,
}: ProgramBatch): Batch {
  const jailOf = (files: RoleFiles) => (command: Command) => {
    const readable = [...files.readable, ...(command.readable ?? [])];
    const jail = isolation.program(command.argv, readable, limits);
    return { ...jail, env: { ...jail.env, ...environment } };
  };
  const outerJail = (descriptors: readonly number[], { readable, executable, folder }: RoleFiles) => {
    const settings = [String(atOnce), descriptors.join(), folder ?? ''].join(' ');
    const argv = [python.executable, ...python.arguments('programs', settings)];
    const files = { readable: folder === undefined ? readable : [...readable, folder], executable };
    return isolation.outerPrograms?.(argv, files, limits);
  };
  const environmentOf = ({ forkServer }: RoleFiles) => ({
    ...environment,
    ...(forkServer && atOnce > 1 && { HEFIX_FORK_SERVER: forkServer.join('\t') }),
  });
  const judgesJail = startJudges ? undefined : outerJail(judgeDescriptors, judgeFiles);
  const candidatesJail = outerJail(candidateDescriptors, candidateFiles);
  const judges =
    startJudges?.() ??
    (judgesJail
      ? forkedJudges(judgesJail, environmentOf(judgeFiles), atOnce)
      : singleJudge(jailOf(judgeFiles)));
  const candidates = candidatesJail
    ? forkedCandidates(candidatesJail, environmentOf(candidateFiles), judges.lines)
    : localCandidates(jailOf(candidateFiles));
  return { judges, candidates };
}

const maxComplaintBytes = 16 * 1024;

/** Judges forked by python/programs/jail/programs.py, each in a jail inside its jail. */
function forkedJudges(jail: OuterJail, environment: Readonly<Record<string, string>>, count: number): Judges {
  const children = Array.from({ length: count }, () => judgeDescriptors.map(() => 'pipe' as const));
  const forker = startForker(jail, children, environment);
  let next = 0;
  const left = () => (forker.process.hasExited() ? 0 : count - next);
  return {
    lines: children.map((_, number) => forker.streams(number)[0] as Socket),
    start({ argv }) {
      if (left() === 0) return null;
      const number = next++;
      const [line, stderr, channel] = forker.streams(number) as [Socket, Socket, Socket];
      const process = startForked(forker, number, jail.inner(), [null, null, stderr, channel], argv);
      return { number, line, process, channel, complaints: captureOutput(stderr, maxComplaintBytes) };
    },
    left,
    destroy: forker.process.destroy,
  };
}

/** One judge, started by this process: for systems that allow no jails inside a jail. */
export function singleJudge(jailOf: (judge: Command) => Jail): Judges {
  let isStarted = false;
  return {
    lines: [],
    start(judge) {
      if (isStarted) return null;
      isStarted = true;
      const process = startProcess(jailOf(judge), ['pipe', 'ignore', 'pipe', 'pipe'], {});
      const { stdin, stderr, stdio } = process.child;
      const complaints = captureOutput(stderr as Readable, maxComplaintBytes);
      return { number: 0, line: stdin as Socket, process, channel: stdio[3] as Socket, complaints };
    },
    left: () => (isStarted ? 0 : 1),
    async destroy() {},
  };
}

/** Candidates forked by python/programs/jail/programs.py, each in a jail inside its jail. Takes over the lines. */
export function forkedCandidates(
  jail: OuterJail,
  environment: Readonly<Record<string, string>>,
  lines: readonly Socket[],
): Candidates {
  const forker = startForker(
    jail,
    lines.map(line => [line, 'pipe', 'pipe']),
    environment,
  );
  for (const line of lines) line.destroy();
  return {
    start({ number }, { argv }) {
      const [, stdout = null, stderr = null] = forker.streams(number);
      return startForked(forker, number, jail.inner(), [null, stdout, stderr, null], argv);
    },
    isOver: forker.process.hasExited,
    destroy: forker.process.destroy,
  };
}

/** Candidates started by this process. */
export function localCandidates(jailOf: (candidate: Command) => Jail): Candidates {
  return {
    start({ line }, candidate) {
      // On descriptor 0 it is blocking, which both need.
      const process = startProcess(jailOf(candidate), [line, 'pipe', 'pipe'], {});
      line.destroy();
      return process;
    },
    isOver: () => false,
    async destroy() {},
  };
}
