import { availableParallelism } from 'node:os';
import { execa } from 'execa';
import type { Closable } from '../../core/async/close-all.ts';

/**
 * Spins in short slices and checks in between whether its input was closed, as happens when its parent dies.
 */
const program = `process.stdin.on('end', () => process.exit()).on('error', () => process.exit()).resume();
const spin = () => {
  const end = Date.now() + 50;
  while (Date.now() < end);
  setImmediate(spin);
};
spin();`;

export interface ProcessorLoad extends Closable {
  readonly pids: readonly number[];
}

/** Keeps every core busy, with one child process each, until it is closed or this process ends. */
export function startProcessorLoad(cores = availableParallelism()): ProcessorLoad {
  const children = Array.from({ length: cores }, () =>
    // A child that cannot be started is ignored.
    execa(process.execPath, ['-e', program], { stdout: 'ignore', stderr: 'ignore', reject: false }),
  );
  return {
    pids: children.flatMap(({ pid }) => pid ?? []),
    async close() {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children);
    },
  };
}
