import type { Socket } from 'node:net';
import type { Jail, OuterJail } from '../isolation/isolation.ts';
import { startForked } from './forked-process.ts';
import { startForker } from './forker.ts';
import type { Command, StartedJudge } from './judges.ts';
import { type StartedProcess, startProcess } from './started-process.ts';

/** Starts candidates on the lines of a batch of judges. */
export interface Candidates {
  start(judge: StartedJudge, candidate: Command): StartedProcess;
  destroy(): Promise<void>;
}

export const candidateDescriptors = [0, 1, 2];

/** Candidates forked by python/programs/jail/programs.py, each in a jail inside its jail. Takes over the lines. */
export function forkedCandidates(
  jail: OuterJail,
  environment: Readonly<Record<string, string>>,
  lines: readonly Socket[],
): Candidates {
  const each = candidateDescriptors.length;
  const streams = lines.flatMap(line => [line, 'pipe', 'pipe'] as const);
  const forker = startForker(jail, streams, environment);
  for (const line of lines) line.destroy();
  const { stdio } = forker.process.child;
  const stream = (number: number, index: number) => stdio[3 + number * each + index] as Socket;
  return {
    start: ({ number }, { argv }) =>
      startForked(forker, number, jail.inner(), [null, stream(number, 1), stream(number, 2), null], argv),
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
    async destroy() {},
  };
}
