import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
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
  const jails = packageFile('lib/sandbox/python/programs/jail/jails.py');
  const inner = command([], probeLimits).inner();
  try {
    return await tryOut(command([python, ...programs(), jails, inner.words], probeLimits));
  } finally {
    await inner.release();
  }
}

function programs(): string[] {
  const script = packageFile('lib/sandbox/isolation/probe.py');
  return ['-I', '-S', script, packageFile('lib/sandbox/python/programs/jail/confine.py')];
}

async function tryOut(jail: Jail): Promise<Probe> {
  const { file, args, env, cwd } = jail;
  const options = {
    env,
    cwd,
    timeout: 30_000,
    killSignal: 'SIGKILL',
  } as const;
  try {
    const { stdout, stderr } = await promisify(execFile)(file, args, options);
    const [first, ...holds] = stdout.trim().split(/\s+/);
    if (first === 'held') return { works: true, holds };
    return { works: false, reason: lastLine(stderr) || 'it ended without a word' };
  } catch (error) {
    const { stderr = '', message } = error as Error & { readonly stderr?: string };
    return { works: false, reason: lastLine(stderr) || lastLine(message) || 'it ended without a word' };
  } finally {
    await jail.release();
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
