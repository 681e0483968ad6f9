import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Jail } from '../isolation/isolation.ts';
import { type CapturedOutput, captureOutput } from '../process/captured-output.ts';
import { type StartedProcess, startProcess } from '../process/started-process.ts';
import { processorWait } from '../process/time-limit.ts';
import { type JudgeReport, type NoReport, readReport } from './judge-report.ts';

/** The two processes of one execution and the connection between them. */
export interface ExecutionPair {
  readonly judge: StartedProcess;
  readonly candidate: StartedProcess;
  /** The candidate's output. */
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /** The judge's error output, if it fails. */
  readonly complaints: CapturedOutput;
  /** Resolves when the judge has started; stays pending if it never does. */
  readonly started: Promise<void>;
  readonly report: Promise<JudgeReport | NoReport>;
  /** Milliseconds that the processes have waited for a processor; see processorWait. */
  waited(): number;
  destroy(): Promise<void>;
}

const MAX_OUTPUT_BYTES = 64 * 1024;

export function startPair(judgeJail: Jail, candidateJail: Jail): ExecutionPair {
  const candidate = startProcess(candidateJail, ['pipe', 'pipe', 'pipe'], {});
  // The host's end of the candidate's connection becomes the judge's. On descriptor 0 it is blocking, which
  // both need.
  const line = candidate.child.stdin as Socket;
  const judge = startProcess(judgeJail, [line, 'ignore', 'pipe', 'pipe'], {});
  line.destroy();
  let begin = () => {};
  const started = new Promise<void>(resolve => {
    begin = resolve;
  });
  return {
    judge,
    candidate,
    stdout: captureOutput(candidate.child.stdout as Readable, MAX_OUTPUT_BYTES),
    stderr: captureOutput(candidate.child.stderr as Readable, MAX_OUTPUT_BYTES),
    complaints: captureOutput(judge.child.stderr as Readable, MAX_OUTPUT_BYTES),
    started,
    report: readReport(judge.child.stdio[3] as Socket, begin),
    waited: () => processorWait(judge.child.pid) + processorWait(candidate.child.pid),
    async destroy() {
      await Promise.all([judge.destroy(), candidate.destroy()]);
    },
  };
}
