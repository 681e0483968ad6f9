import { execFile } from 'node:child_process';
import { packageFile } from '../../package-root.ts';
import type { Cell, Limits, OuterCell } from './cell.ts';

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
  return tryOut(command([python, ...programs()], probeLimits));
}

/** The same in a cell inside a cell. */
export async function probeAround(
  python: string,
  command: (argv: readonly string[], limits: Limits) => OuterCell,
): Promise<Probe> {
  const cells = packageFile('lib/sandbox/python/cells.py');
  const inner = command([], probeLimits).inner();
  try {
    return await tryOut(command([python, ...programs(), cells, inner.words], probeLimits));
  } finally {
    await inner.release();
  }
}

function programs(): string[] {
  const script = packageFile('lib/sandbox/isolation/probe.py');
  return ['-I', '-S', script, packageFile('lib/sandbox/python/confine.py')];
}

async function tryOut(cell: Cell): Promise<Probe> {
  try {
    const run = await runToEnd(cell);
    const [first, ...holds] = run.stdout.trim().split(/\s+/);
    if (run.error === null && first === 'held') return { works: true, holds };
    return { works: false, reason: lastLine(run.stderr) || run.error?.message || 'it ended without a word' };
  } finally {
    await cell.release();
  }
}

interface Run {
  readonly error: Error | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runToEnd({ file, args, env, cwd }: Cell): Promise<Run> {
  return new Promise(resolve => {
    const options = { env, cwd, timeout: 30_000, killSignal: 'SIGKILL' } as const;
    execFile(file, args, options, (error, stdout, stderr) => resolve({ error, stdout, stderr }));
  });
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
