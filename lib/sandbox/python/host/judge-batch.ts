import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Isolation, Limits } from '../../isolation/isolation.ts';
import type { CapturedOutput } from '../../process/captured-output.ts';
import type { Batch } from './batches.ts';
import { startForker } from './forker.ts';
import type { PythonPrograms } from './python-programs.ts';

/** One judge, for one execution. */
export interface Judge {
  /** Its number in the batch. */
  readonly number: number;
  /** The request goes in, the report comes out. */
  readonly control: Socket;
  /** Our end of the stream between judge and candidate, to be handed to the candidate's process. */
  readonly channel: Socket;
  /** What the judges of the batch complain of, when they fail. */
  readonly complaints: CapturedOutput;
  /** Resolves once it has ended. */
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  /** Whether the process that forked it is gone, and took it along. */
  isOrphan(): boolean;
  destroy(): Promise<void>;
}

export interface JudgeBatch extends Batch<Judge> {
  /** The judges by their numbers. */
  readonly channels: readonly Socket[];
}

/** How long a judge may take to end. */
const endMilliseconds = 250;

/** Judges that are forked from one interpreter, in one jail. */
export function startJudgeBatch(
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
      async destroy() {
        if (!over) forker.kill(number);
        await Promise.race([ended, pause(endMilliseconds, undefined, { ref: false })]);
      },
    };
  };
  return { channels, take, left, isOver: forker.process.hasExited, destroy: forker.process.destroy };
}
