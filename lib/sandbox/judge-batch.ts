import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type CapturedOutput, captureOutput } from './captured-output.ts';
import type { Isolation, Limits } from './isolation/isolation.ts';
import { hashSeed, type PythonPrograms } from './python-programs.ts';
import { startProcess } from './started-process.ts';

/** One judge, for one execution. */
export interface Judge {
  /** The request goes in, the report comes out. */
  readonly control: Socket;
  /** Our end of the stream between judge and candidate, to be handed to the candidate's process. */
  readonly channel: Socket;
  /** What the judges of the batch complain of, when they fail. */
  readonly complaints: CapturedOutput;
  /** Resolves once it has ended. */
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  destroy(): Promise<void>;
}

/** Judges that were forked from one interpreter, which is cheaper than starting one for each. */
export interface JudgeBatch {
  /** The next that nobody has taken; undefined when all are, or the batch has died. */
  take(): Judge | undefined;
  /** How many are left to take. */
  left(): number;
  /** Resolves once the processes are gone. */
  destroy(): Promise<void>;
}

const maxComplaintBytes = 16 * 1024;
/** How long a judge may take to end. */
const endMilliseconds = 250;

export function startJudgeBatch(
  python: PythonPrograms,
  isolation: Isolation,
  limits: Limits,
  size: number,
): JudgeBatch {
  const streams = Array<'pipe'>(2 * size).fill('pipe');
  const forker = startProcess(
    isolation.command([python.executable, ...python.arguments('judge', String(size))], limits),
    ['pipe', 'ignore', 'pipe', ...streams],
    hashSeed,
  );
  const complaints = captureOutput(forker.child.stderr as Readable, maxComplaintBytes);
  let next = 0;
  let inUse = 0;
  let retired = false;

  const take = (): Judge | undefined => {
    if (left() === 0) return undefined;
    const number = next++;
    inUse += 1;
    const control = forker.child.stdio[3 + 2 * number] as Socket;
    const channel = forker.child.stdio[4 + 2 * number] as Socket;
    let over = false;
    const ended = new Promise<void>(resolve => {
      control.once('close', () => {
        over = true;
        resolve();
      });
    });
    return {
      control,
      channel,
      complaints,
      ended,
      hasEnded: () => over,
      async destroy() {
        if (!over) forker.child.stdin?.write(Buffer.of(number));
        await Promise.race([ended, pause(endMilliseconds)]);
        // One that cannot be ended alone ends with the batch, as soon as nobody else needs it.
        if (!over) retired = true;
        inUse -= 1;
        if (inUse === 0 && left() === 0) await forker.destroy();
      },
    };
  };
  const left = () => (retired || forker.hasExited() ? 0 : size - next);
  return { take, left, destroy: forker.destroy };
}
