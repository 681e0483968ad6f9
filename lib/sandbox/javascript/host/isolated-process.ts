import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Jail } from '../../isolation/isolation.ts';
import { captureSlowly } from '../../process/captured-output.ts';
import type { Pair } from '../../process/pairs.ts';
import { startProcess } from '../../process/started-process.ts';
import { processorWait } from '../../process/time-limit.ts';

/** One process for candidate and tests, in place of a pair. */
export interface IsolatedProcess extends Pair {
  /** Its reports count only with the secret that came with its job, since a candidate can write to any descriptor. */
  readonly secret: string;
}

export function startIsolated(jail: Jail): IsolatedProcess {
  const both = startProcess(jail, ['ignore', 'pipe', 'pipe', 'pipe'], {});
  const stderr = captureSlowly(both.child.stderr as Readable);
  return {
    judge: both,
    candidate: both,
    channel: both.child.stdio[3] as Socket,
    stdout: captureSlowly(both.child.stdout as Readable),
    stderr,
    complaints: stderr,
    waited: () => processorWait(both.child.pid),
    isUsable: () => !both.hasExited(),
    destroy: both.destroy,
    secret: randomUUID(),
  };
}
