import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Jail, OuterJail } from '../isolation/isolation.ts';
import { type CapturedOutput, captureOutput } from '../process/captured-output.ts';
import { type StartedProcess, startProcess } from '../process/started-process.ts';
import { startForked } from '../python/host/forked-process.ts';
import { startForker } from '../python/host/forker.ts';

/** What starts a judge; see `Program` in toolchain.ts. */
interface Command {
  readonly argv: readonly string[];
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
  /** What it writes to descriptor 3. */
  readonly report: Readable;
  readonly complaints: CapturedOutput;
}

/** Number of executions whose processes are forked from one pair of processes. */
export const PAIRS_AT_ONCE = 16;
/** The descriptors of a forked judge. Output is discarded. */
export const judgeDescriptors = [0, 2, 3];

const MAX_COMPLAINT_BYTES = 16 * 1024;

/** Judges forked by python/programs.py, each in a jail inside its jail. */
export function forkedJudges(jail: OuterJail, environment: Readonly<Record<string, string>>): Judges {
  const each = judgeDescriptors.length;
  const forker = startForker(jail, Array<'pipe'>(PAIRS_AT_ONCE * each).fill('pipe'), environment);
  const { stdio } = forker.process.child;
  const stream = (number: number, index: number) => stdio[3 + number * each + index] as Socket;
  let next = 0;
  const isUsedUp = () => next === PAIRS_AT_ONCE || forker.process.hasExited();
  return {
    lines: Array.from({ length: PAIRS_AT_ONCE }, (_, number) => stream(number, 0)),
    start({ argv }) {
      if (isUsedUp()) return null;
      const number = next++;
      const [line, stderr, report] = [stream(number, 0), stream(number, 1), stream(number, 2)];
      const process = startForked(forker, number, jail.inner(), [null, null, stderr, report], argv);
      return { number, line, process, report, complaints: captureOutput(stderr, MAX_COMPLAINT_BYTES) };
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
      const complaints = captureOutput(stderr as Readable, MAX_COMPLAINT_BYTES);
      return { number: 0, line: stdin as Socket, process, report: stdio[3] as Socket, complaints };
    },
    isUsedUp: () => isUsedUp,
    async destroy() {},
  };
}
