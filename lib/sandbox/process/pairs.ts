import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { once } from '../../core/async/once.ts';
import type { Isolation, Jail, JailFiles, Limits } from '../isolation/isolation.ts';
import type { PythonPrograms } from '../python/host/python-programs.ts';
import { type CapturedOutput, captureOutput } from './captured-output.ts';
import {
  type Candidates,
  type Command,
  candidateDescriptors,
  forkedCandidates,
  forkedJudges,
  type Judges,
  judgeDescriptors,
  localCandidates,
  pairsAtOnce,
  type StartedJudge,
  singleJudge,
} from './judges.ts';
import type { StartedProcess } from './started-process.ts';
import { processorWait, type Waited } from './time-limit.ts';

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
  isUsable(): boolean;
  destroy(): Promise<void>;
}

/** Starts a judge and a candidate for each execution. */
export interface Pairs {
  start(judge: Command, candidate: Command): Pair;
  close(): Promise<void>;
}

/** What judges or candidates read and execute. */
export interface RoleFiles extends JailFiles {
  /** To which their own files are added; each reads only the one that its command names. */
  readonly folder?: string;
  /** A program that forks itself for each execution, if it can here; their own commands are started otherwise. */
  readonly forkServer?: readonly string[] | undefined;
}

export interface PairOptions {
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
  /** How the candidates' output is read; by `captureOutput` unless given. */
  readonly capture?: Capture;
}

type Capture = (stream: Readable) => CapturedOutput;

interface Batch {
  readonly judges: Judges;
  readonly candidates: Candidates;
  /** Pairs that are not destroyed yet. */
  running: number;
}

/**
 * Where jails can be made inside a jail, processes are forked from one that has everything loaded, which takes
 * a third of the processor time of starting them one by one.
 */
export function createPairs(options: PairOptions): Pairs {
  const {
    isolation,
    python,
    limits,
    environment = {},
    atOnce = pairsAtOnce,
    startJudges,
    capture = captureOutput,
  } = options;
  const batches = new Set<Batch>();
  const jailOf =
    ({ readable }: RoleFiles) =>
    ({ argv, readable: own = [] }: Command): Jail => {
      const jail = isolation.program(argv, [...readable, ...own], limits);
      return { ...jail, env: { ...jail.env, ...environment } };
    };
  const outerJail = (descriptors: readonly number[], { readable, executable, folder }: RoleFiles) => {
    const words = [String(atOnce), descriptors.join(), folder ?? ''].join(' ');
    const argv = [python.executable, ...python.arguments('programs', words)];
    const files = { readable: folder === undefined ? readable : [...readable, folder], executable };
    return isolation.outerPrograms?.(argv, files, limits);
  };
  const environmentOf = ({ forkServer }: RoleFiles) => ({
    ...environment,
    ...(forkServer && atOnce > 1 && { HEFIX_FORK_SERVER: forkServer.join('\t') }),
  });
  const startBatch = (): Batch => {
    const judgesJail = startJudges ? undefined : outerJail(judgeDescriptors, options.judges);
    const candidatesJail = outerJail(candidateDescriptors, options.candidates);
    const judges =
      startJudges?.() ??
      (judgesJail
        ? forkedJudges(judgesJail, environmentOf(options.judges), atOnce)
        : singleJudge(jailOf(options.judges)));
    const candidates = candidatesJail
      ? forkedCandidates(candidatesJail, environmentOf(options.candidates), judges.lines)
      : localCandidates(jailOf(options.candidates));
    return { judges, candidates, running: 0 };
  };
  const end = async (batch: Batch): Promise<void> => {
    batches.delete(batch);
    await Promise.all([batch.judges.destroy(), batch.candidates.destroy()]);
  };
  const startIn = (batch: Batch, judge: Command, candidate: Command): Pair | null => {
    const started = batch.judges.start(judge);
    if (!started) return null;
    batch.running += 1;
    const release = async () => {
      batch.running -= 1;
      if (batch.running === 0 && batch.judges.isUsedUp()) await end(batch);
    };
    return pairOf(started, batch.candidates.start(started, candidate), { release, capture });
  };
  return {
    start(judge, candidate) {
      for (const batch of batches) {
        const pair = startIn(batch, judge, candidate);
        if (pair) return pair;
      }
      const batch = startBatch();
      batches.add(batch);
      const pair = startIn(batch, judge, candidate);
      if (!pair) throw new Error('a new batch starts no judge');
      return pair;
    },
    async close() {
      await Promise.all([...batches].map(end));
    },
  };
}

/** A judge, and the candidate that has got the other end of its line. `release` is called once both are destroyed. */
export function pairOf(
  { process: judge, channel, complaints }: Pick<StartedJudge, 'process' | 'channel' | 'complaints'>,
  candidate: StartedProcess,
  {
    release,
    capture = captureOutput,
  }: { readonly release?: () => Promise<void>; readonly capture?: Capture } = {},
): Pair {
  // A judge may have waited for earlier executions.
  const before = processorWait(judge.child.pid);
  return {
    ...{ judge, candidate, channel, complaints },
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
