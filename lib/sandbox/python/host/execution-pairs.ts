import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Isolation, Limits, OuterJail } from '../../isolation/isolation.ts';
import { type CapturedOutput, captureOutput } from '../../process/captured-output.ts';
import { startForked, startForker } from '../../process/forker.ts';
import type { Batch } from '../../process/started-ahead.ts';
import { type StartedProcess, startProcess } from '../../process/started-process.ts';
import { processorWait } from '../../process/time-limit.ts';
import type { PythonPrograms } from './python-programs.ts';

/** Two processes for one execution: the judge runs the tests and decides, the other runs the candidate. */
export interface ExecutionPair {
  readonly judge: Judge;
  readonly candidate: StartedProcess;
  /** Output of the candidate. */
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /** Errors of our own processes that forked the two. */
  readonly complaints: readonly CapturedOutput[];
  /** Milliseconds that the two have waited for a processor; see processorWait. */
  waited(): number;
  isUsable(): boolean;
  destroy(): Promise<void>;
}

/** A judge, forked from an interpreter that has the programs loaded. */
export interface Judge {
  /** Its number in the batch. */
  readonly number: number;
  /** Takes the request and gives the report. */
  readonly control: Socket;
  /** Our end of the stream between judge and candidate, for the candidate's process. */
  readonly channel: Socket;
  /** Errors of the batch's judges. */
  readonly complaints: CapturedOutput;
  /** Resolves once it has ended. */
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  /** Whether the process that forked it has ended, which ends the judge too. */
  isOrphan(): boolean;
  /** Tells it that its time is up. */
  timeUp(): void;
  pid(): number | undefined;
  destroy(): Promise<void>;
}

/** Starts the candidate's process on the judge's channel, which that process then owns. */
export type StartCandidate = (judge: Judge) => StartedProcess;

export interface JudgeBatch extends Batch<Judge> {
  /** The judges' channels, by number. */
  readonly channels: readonly Socket[];
}

/** Milliseconds that a judge may take to end. */
const endMilliseconds = 250;

/**
 * Pairs whose judges are forked from one interpreter and whose candidates from another. Where no jail can be made
 * inside a jail, an interpreter is started for each candidate.
 */
export function startPairs(
  python: PythonPrograms,
  isolation: Isolation,
  limits: Limits,
  size: number,
): Batch<ExecutionPair> {
  const judges = startJudges(python, isolation, limits, size);
  const pairWith = (start: StartCandidate) => () => {
    const judge = judges.take();
    return judge && startPair(judge, start);
  };
  if (!isolation.outer) return { ...judges, take: pairWith(localCandidate(python, isolation, limits)) };
  const words = [python.executable, ...python.arguments('candidates', String(size))];
  const candidates = startCandidates(isolation.outer(words, limits), judges.channels, python.environment);
  return {
    take: pairWith(({ number }) => candidates.start(number)),
    left: () => (candidates.isOver() ? 0 : judges.left()),
    isOver: () => judges.isOver() && candidates.isOver(),
    async destroy() {
      await Promise.all([judges.destroy(), candidates.destroy()]);
    },
  };
}

/**
 * The candidate is connected to the judge directly, which saves two hops through this process on every call.
 */
export function startPair(judge: Judge, startCandidate: StartCandidate): ExecutionPair {
  const candidate = startCandidate(judge);
  return {
    judge,
    candidate,
    stdout: captureOutput(candidate.child.stdout as Readable),
    stderr: captureOutput(candidate.child.stderr as Readable),
    complaints: [judge.complaints, ...(candidate.complaints ? [candidate.complaints] : [])],
    waited: () => processorWait(judge.pid()) + processorWait(candidate.child.pid),
    isUsable: () => !judge.hasEnded() && !candidate.hasExited(),
    async destroy() {
      await Promise.all([judge.destroy(), candidate.destroy()]);
    },
  };
}

/** Judges that are forked from one interpreter, in one jail. */
export function startJudges(
  python: PythonPrograms,
  isolation: Isolation,
  limits: Limits,
  size: number,
): JudgeBatch {
  const jail = isolation.command([python.executable, ...python.arguments('judges', String(size))], limits);
  const forker = startForker(jail, Array<'pipe'>(2 * size).fill('pipe'), python.environment);
  const { stdio } = forker.process.child;
  const channels = Array.from({ length: size }, (_, number) => stdio[4 + 2 * number] as Socket);
  let next = 0;

  const left = () => (forker.process.hasExited() ? 0 : size - next);
  const take = (): Judge | undefined => {
    const number = next;
    const channel = channels[number];
    if (left() === 0 || !channel) return undefined;
    next += 1;
    forker.start(number);
    const control = stdio[3 + 2 * number] as Socket;
    let over = false;
    const ended = new Promise<void>(resolve => {
      control.once('close', () => {
        over = true;
        resolve();
      });
    });
    return {
      number,
      control,
      channel,
      complaints: forker.complaints,
      ended,
      hasEnded: () => over,
      isOrphan: forker.process.hasExited,
      timeUp: () => forker.alarm(number),
      pid: () => forker.pid(number),
      async destroy() {
        if (!over) forker.kill(number);
        await Promise.race([ended, pause(endMilliseconds, undefined, { ref: false })]);
      },
    };
  };
  return { channels, take, left, isOver: forker.process.hasExited, destroy: forker.process.destroy };
}

/** The candidate's process on this system, in its own jail. */
function localCandidate(python: PythonPrograms, isolation: Isolation, limits: Limits): StartCandidate {
  return ({ channel }) => {
    const candidate = startProcess(
      isolation.command([python.executable, ...python.arguments('candidate')], limits),
      [channel, 'pipe', 'pipe'],
      python.environment,
    );
    channel.destroy();
    return candidate;
  };
}

/** Candidates that are forked from one interpreter, each into its own jail. It takes over the channels. */
function startCandidates(
  jail: OuterJail,
  channels: readonly Socket[],
  environment: PythonPrograms['environment'],
) {
  const forker = startForker(
    jail,
    channels.flatMap(channel => [channel, 'pipe', 'pipe'] as const),
    environment,
  );
  for (const channel of channels) channel.destroy();
  const { stdio } = forker.process.child;

  const start = (number: number): StartedProcess => {
    const [stdout, stderr] = [stdio[4 + 3 * number] as Socket, stdio[5 + 3 * number] as Socket];
    return startForked(forker, number, jail.inner(), [null, stdout, stderr, null]);
  };
  return { start, isOver: forker.process.hasExited, destroy: forker.process.destroy };
}
