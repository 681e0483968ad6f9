import type { Socket } from 'node:net';
import type { Isolation, Limits, OuterJail } from '../../isolation/isolation.ts';
import type { Exit, StartedProcess } from '../../process/started-process.ts';
import type { Batch } from './batches.ts';
import { type ExecutionPair, localCandidate, type StartCandidate, startPair } from './execution-pair.ts';
import { startForker } from './forker.ts';
import { type Judge, startJudgeBatch } from './judge-batch.ts';
import type { PythonPrograms } from './python-programs.ts';

/**
 * Pairs of which the judges are forked from one interpreter and the candidates from another; where jails cannot be
 * made inside a jail, each candidate has an interpreter started for it.
 */
export function startPairBatch(
  python: PythonPrograms,
  isolation: Isolation,
  limits: Limits,
  size: number,
): Batch<ExecutionPair> {
  const judges = startJudgeBatch(python, isolation, limits, size);
  const { left, isOver, destroy } = judges;
  if (!isolation.outer) {
    const start = localCandidate(python, isolation, limits);
    return { take: () => pairOf(judges.take(), start), left, isOver, destroy };
  }
  const words = [python.executable, ...python.arguments('candidates', String(size))];
  const candidates = startCandidates(isolation.outer(words, limits), judges.channels, python.environment);
  return {
    take: () => pairOf(judges.take(), ({ number }) => candidates.start(number)),
    left: () => (candidates.isOver() ? 0 : left()),
    isOver: () => isOver() && candidates.isOver(),
    async destroy() {
      await Promise.all([destroy(), candidates.destroy()]);
    },
  };
}

function pairOf(judge: Judge | undefined, start: StartCandidate): ExecutionPair | undefined {
  return judge && startPair(judge, start);
}

/** Takes the channels over, which are then no longer this process's. */
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
    const inner = jail.inner();
    const stdout = stdio[4 + 3 * number] as Socket;
    const stderr = stdio[5 + 3 * number] as Socket;
    let ended: Exit | undefined;
    const exited = forker.start(number, inner.words).then(exit => {
      ended = exit;
      return exit;
    });
    const kill = () => forker.kill(number);
    const destroy = async () => {
      kill();
      await exited;
      stdout.destroy();
      stderr.destroy();
      await inner.release();
    };
    let destroyed: Promise<void> | undefined;
    return {
      child: { stdin: null, stdout, stderr, stdio: [null, stdout, stderr, null, null] },
      complaints: forker.complaints,
      exited,
      hasExited: () => ended !== undefined,
      kill,
      destroy() {
        destroyed ??= destroy();
        return destroyed;
      },
    };
  };
  return { start, isOver: forker.process.hasExited, destroy: forker.process.destroy };
}
