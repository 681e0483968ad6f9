import type { Socket } from 'node:net';
import type { Isolation, Limits } from '../../isolation/isolation.ts';
import { type Batch, forkedCandidates, type Judges, localCandidates } from '../../process/pairs.ts';
import { startForked, startForker } from '../../process/started-process.ts';
import type { PythonPrograms } from './python-programs.ts';

/**
 * A batch of judges, which are forked from one interpreter, and candidates, which are forked from another. Where no jail
 * can be made inside a jail, an interpreter is started for each candidate.
 */
export function startInterpreters(
  python: PythonPrograms,
  isolation: Isolation,
  limits: Limits,
  size: number,
): Batch {
  const { executable, environment } = python;
  const judges = startJudges(python, isolation, limits, size);
  if (!isolation.outer) {
    const argv = [executable, ...python.arguments('candidate')];
    const candidates = localCandidates(() => {
      const jail = isolation.command(argv, limits);
      return { ...jail, env: { ...jail.env, ...environment } };
    });
    return { judges, candidates };
  }
  const words = [executable, ...python.arguments('candidates', String(size))];
  const candidates = forkedCandidates(isolation.outer(words, limits), environment, judges.lines);
  return { judges, candidates };
}

/** A judge or a candidate has the programs loaded: no command is needed. */
export const loaded = { argv: [] } as const;

/**
 * Judges that are forked from one interpreter, in one jail. Outside of containers, each is connected with its candidate
 * directly, which saves two hops for every call.
 */
export function startJudges(
  python: PythonPrograms,
  isolation: Isolation,
  limits: Limits,
  size: number,
): Judges & { isOver(): boolean } {
  const jail = isolation.command([python.executable, ...python.arguments('judges', String(size))], limits);
  const children = Array.from({ length: size }, () => ['pipe', 'pipe'] as const);
  const forker = startForker(jail, children, python.environment);
  const { hasExited, destroy } = forker.process;
  let next = 0;
  const left = () => (hasExited() ? 0 : size - next);
  return {
    lines: children.map((_, number) => forker.streams(number)[1] as Socket),
    start() {
      if (left() === 0) return null;
      const number = next++;
      const [channel, line] = forker.streams(number) as [Socket, Socket];
      const process = startForked(forker, number, null, [null, null, null, channel]);
      const timeUp = () => forker.alarm(number);
      return { number, line, channel, process, complaints: forker.complaints, timeUp };
    },
    left,
    isOver: hasExited,
    destroy,
  };
}
