import type { Readable } from 'node:stream';
import { type CapturedOutput, captureOutput } from '../process/captured-output.ts';
import type { StartedProcess } from '../process/started-process.ts';
import { processorWait } from '../process/time-limit.ts';
import { type JudgeReport, type NoReport, readReport } from './judge-report.ts';
import type { StartedJudge } from './judges.ts';

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

/** Of a judge and the candidate that has got the other end of its line. */
export function pairOf(
  { process: judge, complaints, report }: StartedJudge,
  candidate: StartedProcess,
): ExecutionPair {
  let begin = () => {};
  const started = new Promise<void>(resolve => {
    begin = resolve;
  });
  // A judge may have waited for earlier executions.
  const before = processorWait(judge.child.pid);
  return {
    judge,
    candidate,
    complaints,
    stdout: captureOutput(candidate.child.stdout as Readable, MAX_OUTPUT_BYTES),
    stderr: captureOutput(candidate.child.stderr as Readable, MAX_OUTPUT_BYTES),
    started,
    report: readReport(report, begin),
    waited: () => processorWait(judge.child.pid) - before + processorWait(candidate.child.pid),
    async destroy() {
      await Promise.all([judge.destroy(), candidate.destroy()]);
    },
  };
}
