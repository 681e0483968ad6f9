import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Jail, OuterJail } from '../isolation/isolation.ts';
import { type CapturedOutput, captureOutput } from './captured-output.ts';
import { startForked, startForker } from './forker.ts';
import { type StartedProcess, startProcess } from './started-process.ts';

/** What starts a judge or a candidate. */
export interface Command {
  /** The first word is an absolute path. */
  readonly argv: readonly string[];
  /** Its own files, for where it is not in the folder of all of them. */
  readonly readable?: readonly string[];
}

/** Judges of several executions, whose lines to the candidates exist before they start. */
export interface Judges {
  /** The candidates' ends of the lines, by number. */
  readonly lines: readonly Socket[];
  /** Starts the next one; null if none is left, or none can start at the moment. */
  start(judge: Command): StartedJudge | null;
  /** Whether none can be started any more. */
  isUsedUp(): boolean;
  destroy(): Promise<void>;
}

export interface StartedJudge {
  readonly number: number;
  /** The candidate's end of the connection between the two. */
  readonly line: Socket;
  readonly process: StartedProcess;
  /** This process's connection to it. */
  readonly channel: Socket;
  readonly complaints: CapturedOutput;
}

/** Number of executions whose processes are forked from one pair of processes. */
export const pairsAtOnce = 16;
/** The descriptors of a forked judge. Output is discarded. */
export const judgeDescriptors = [0, 2, 3];

const maxComplaintBytes = 16 * 1024;

/** Judges forked by python/programs/jail/programs.py, each in a jail inside its jail. */
export function forkedJudges(
  jail: OuterJail,
  environment: Readonly<Record<string, string>>,
  count: number,
): Judges {
  const children = Array.from({ length: count }, () => judgeDescriptors.map(() => 'pipe' as const));
  const forker = startForker(jail, children, environment);
  let next = 0;
  const isUsedUp = () => next === count || forker.process.hasExited();
  return {
    lines: children.map((_, number) => forker.streams(number)[0] as Socket),
    start({ argv }) {
      if (isUsedUp()) return null;
      const number = next++;
      const [line, stderr, channel] = forker.streams(number) as [Socket, Socket, Socket];
      const process = startForked(forker, number, jail.inner(), [null, null, stderr, channel], argv);
      return { number, line, process, channel, complaints: captureOutput(stderr, maxComplaintBytes) };
    },
    isUsedUp,
    destroy: forker.process.destroy,
  };
}

/** One judge, started by this process: for systems that allow no jails inside a jail. */
export function singleJudge(jailOf: (judge: Command) => Jail): Judges {
  let isUsedUp = false;
  return {
    lines: [],
    start(judge) {
      if (isUsedUp) return null;
      isUsedUp = true;
      const process = startProcess(jailOf(judge), ['pipe', 'ignore', 'pipe', 'pipe'], {});
      const { stdin, stderr, stdio } = process.child;
      const complaints = captureOutput(stderr as Readable, maxComplaintBytes);
      return { number: 0, line: stdin as Socket, process, channel: stdio[3] as Socket, complaints };
    },
    isUsedUp: () => isUsedUp,
    async destroy() {},
  };
}

/** Starts candidates on the lines of a batch of judges. */
export interface Candidates {
  start(judge: Pick<StartedJudge, 'number' | 'line'>, candidate: Command): StartedProcess;
  /** Whether none can be started any more. */
  isOver(): boolean;
  destroy(): Promise<void>;
}

export const candidateDescriptors = [0, 1, 2];

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
