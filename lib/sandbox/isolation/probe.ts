import { execa } from 'execa';
import { packageFile } from '../../package-root.ts';
import type { Cell, Limits } from './cell.ts';

/** Enough for any interpreter to start and say what it is asked. */
const probeLimits: Limits = {
  memoryMiB: 1024,
  cpuSeconds: 10,
  processes: 16,
  openFiles: 64,
  fileSizeMiB: 1,
  workFolderMiB: 16,
};

export type Probe =
  | { readonly works: true /** What the kernel gave besides. */; readonly holds: readonly string[] }
  | { readonly works: false; readonly reason: string };

/** Starts a trusted program in a cell, closes the cell from inside, and computes something there. */
export async function probe(
  python: string,
  command: (argv: readonly string[], limits: Limits) => Cell,
): Promise<Probe> {
  const script = packageFile('lib/sandbox/isolation/probe.py');
  const confine = packageFile('lib/sandbox/python/confine.py');
  const cell = command([python, '-I', '-S', script, confine], probeLimits);
  try {
    const run = await execa(cell.file, cell.args, {
      env: cell.env,
      extendEnv: false,
      cwd: cell.cwd,
      stdin: 'ignore',
      reject: false,
      timeout: 30_000,
      killSignal: 'SIGKILL',
    });
    const [first, ...holds] = run.stdout.split(/\s+/);
    if (run.exitCode === 0 && first === 'held') return { works: true, holds };
    return { works: false, reason: lastLine(run.stderr) || run.shortMessage || 'it ended without a word' };
  } finally {
    await cell.release();
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
