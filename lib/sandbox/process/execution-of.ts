import type { Execution } from '../../core/ports.ts';
import type { CapturedOutput } from './captured-output.ts';

/** Milliseconds to wait for the remaining output of a process that has ended. */
export const outputGrace = 250;

/** Ends the candidate and adds its output to the verdict. */
export async function executionOf(
  {
    candidate,
    stdout,
    stderr,
  }: {
    readonly candidate: { kill(): void };
    readonly stdout: CapturedOutput;
    readonly stderr: CapturedOutput;
  },
  outcome: Pick<Execution, 'verdict' | 'exitCode' | 'seconds' | 'isolation'>,
): Promise<Execution> {
  candidate.kill();
  await Promise.all([stdout.ended(outputGrace), stderr.ended(outputGrace)]);
  return {
    ...outcome,
    stdout: stdout.text(),
    stderr: stderr.text(),
    droppedBytes: stdout.droppedBytes() + stderr.droppedBytes(),
  };
}
