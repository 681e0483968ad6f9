import type { Socket } from 'node:net';
import type { Isolation, Limits } from '../../isolation/isolation.ts';
import { startForked, startForker } from '../../process/forker.ts';
import { forkedCandidates, localCandidates, type StartedJudge } from '../../process/judges.ts';
import { type Pair, pairOf } from '../../process/pairs.ts';
import type { Batch } from '../../process/started-ahead.ts';
import type { StartedProcess } from '../../process/started-process.ts';
import type { PythonPrograms } from './python-programs.ts';

/** A judge, forked from an interpreter that has the programs loaded. */
interface Judge extends StartedJudge {
  /** Tells it that its time is up. */
  timeUp(): void;
}

/** A judge that runs the tests and decides, and the process of the candidate. */
export interface ExecutionPair extends Pair {
  /** Tells the judge that its time is up. */
  timeUp(): void;
}

interface JudgeBatch extends Batch<Judge> {
  /** The candidates' ends of the judges' lines, by number. */
  readonly lines: readonly Socket[];
}

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
  const { executable, environment } = python;
  const judges = startJudges(python, isolation, limits, size);
  const pairWith = (start: (judge: Judge) => StartedProcess) => () => {
    const judge = judges.take();
    return judge && startPair(judge, start(judge));
  };
  if (!isolation.outer) {
    const argv = [executable, ...python.arguments('candidate')];
    const local = localCandidates(() => {
      const jail = isolation.command(argv, limits);
      return { ...jail, env: { ...jail.env, ...environment } };
    });
    return { ...judges, take: pairWith(judge => local.start(judge, { argv })) };
  }
  const words = [executable, ...python.arguments('candidates', String(size))];
  const candidates = forkedCandidates(isolation.outer(words, limits), environment, judges.lines);
  return {
    take: pairWith(judge => candidates.start(judge, { argv: [] })),
    left: () => (candidates.isOver() ? 0 : judges.left()),
    isOver: () => judges.isOver() && candidates.isOver(),
    async destroy() {
      await Promise.all([judges.destroy(), candidates.destroy()]);
    },
  };
}

/**
 * A judge with the candidate on its line. Outside of containers the two are connected directly, which saves two hops for
 * every call.
 */
export function startPair(judge: Judge, candidate: StartedProcess): ExecutionPair {
  return { ...pairOf(judge, candidate), timeUp: judge.timeUp };
}

/** Judges that are forked from one interpreter, in one jail. */
export function startJudges(
  python: PythonPrograms,
  isolation: Isolation,
  limits: Limits,
  size: number,
): JudgeBatch {
  const jail = isolation.command([python.executable, ...python.arguments('judges', String(size))], limits);
  const children = Array.from({ length: size }, () => ['pipe', 'pipe'] as const);
  const forker = startForker(jail, children, python.environment);
  const { hasExited, destroy } = forker.process;
  let next = 0;
  const left = () => (hasExited() ? 0 : size - next);
  const take = (): Judge | undefined => {
    if (left() === 0) return undefined;
    const number = next++;
    const [channel, line] = forker.streams(number) as [Socket, Socket];
    const process = startForked(forker, number, null, [null, null, null, channel]);
    const timeUp = () => forker.alarm(number);
    return { number, line, channel, process, complaints: forker.complaints, timeUp };
  };
  const lines = children.map((_, number) => forker.streams(number)[1] as Socket);
  return { lines, take, left, isOver: hasExited, destroy };
}
