import type { Readable } from 'node:stream';
import type { Isolation, Limits } from '../../isolation/isolation.ts';
import { type CapturedOutput, captureOutput } from '../../process/captured-output.ts';
import { type StartedProcess, startProcess } from '../../process/started-process.ts';
import type { Judge } from './judge-batch.ts';
import type { PythonPrograms } from './python-programs.ts';

/** Two processes for one execution: one that runs the tests and decides, one that runs the candidate. */
export interface ExecutionPair {
  readonly judge: Judge;
  readonly candidate: StartedProcess;
  /** What the candidate writes. */
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /** What the processes of ours that forked the two complain of. */
  readonly complaints: readonly CapturedOutput[];
  isUsable(): boolean;
  destroy(): Promise<void>;
}

/** Starts the candidate's process and connects it to the judge's channel, which is then its own to close. */
export type StartCandidate = (judge: Judge) => StartedProcess;

const maxOutputBytes = 64 * 1024;

export function startPair(judge: Judge, startCandidate: StartCandidate): ExecutionPair {
  // Our end of the judge's channel becomes the candidate's: from here on the two are connected directly,
  // which saves two hops through this process on every call. Neither has written anything yet.
  const candidate = startCandidate(judge);
  return {
    judge,
    candidate,
    stdout: captureOutput(candidate.child.stdout as Readable, maxOutputBytes),
    stderr: captureOutput(candidate.child.stderr as Readable, maxOutputBytes),
    complaints: [judge.complaints, ...(candidate.complaints ? [candidate.complaints] : [])],
    isUsable: () => !judge.hasEnded() && !candidate.hasExited(),
    async destroy() {
      await Promise.all([judge.destroy(), candidate.destroy()]);
    },
  };
}

/** The candidate's process on this machine, in a jail of its own. */
export function localCandidate(python: PythonPrograms, isolation: Isolation, limits: Limits): StartCandidate {
  return ({ channel }) => {
    const candidate = startProcess(
      isolation.command([python.executable, ...python.arguments('candidate')], limits),
      [channel, 'pipe', 'pipe'],
      python.environment,
    );
    channel.destroy();
    return candidate;
  };
}
