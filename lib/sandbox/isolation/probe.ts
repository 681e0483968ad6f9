import { execa } from 'execa';
import { packageFile } from '../../files/package-root.ts';
import type { Jail, Limits, OuterJail } from './jail.ts';

/** Enough for any interpreter to start and answer. */
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

/** Starts a trusted program in a jail, closes the jail from inside, and runs a computation there. */
export async function probe(
  python: string,
  command: (argv: readonly string[], limits: Limits) => Jail,
): Promise<Probe> {
  return tryOut(command([python, ...programs()], probeLimits));
}

/** The same for a jail inside a jail. */
export async function probeAround(
  python: string,
  command: (argv: readonly string[], limits: Limits) => OuterJail,
): Promise<Probe> {
  const jails = packageFile('lib/sandbox/python/programs/jails.py');
  const inner = command([], probeLimits).inner();
  try {
    return await tryOut(command([python, ...programs(), jails, inner.words], probeLimits));
  } finally {
    await inner.release();
  }
}

function programs(): string[] {
  const script = packageFile('lib/sandbox/isolation/probe.py');
  return ['-I', '-S', script, packageFile('lib/sandbox/python/programs/confine.py')];
}

async function tryOut(jail: Jail): Promise<Probe> {
  const { file, args, env, cwd } = jail;
  const options = {
    env,
    extendEnv: false,
    cwd,
    timeout: 30_000,
    killSignal: 'SIGKILL',
    reject: false,
  } as const;
  const run = await execa(file, args, options).finally(jail.release);
  const [first, ...holds] = run.stdout.trim().split(/\s+/);
  if (!run.failed && first === 'held') return { works: true, holds };
  return { works: false, reason: lastLine(run.stderr) || run.shortMessage || 'it ended without a word' };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
