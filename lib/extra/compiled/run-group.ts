import { execa } from 'execa';
import { killGroup } from '../../sandbox/process/started-process.ts';

interface GroupOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds; none if omitted. */
  readonly timeout?: number;
}

/** Leaders of process groups that run. */
const live = new Set<number>();

/**
 * Runs a program that starts others, such as a compiler's driver, in a process group of its own, and returns its output.
 * The whole group ends with this process or at the time limit.
 * @throws ExecaError
 */
export async function runGroup(
  program: string,
  args: readonly string[],
  { timeout, ...options }: GroupOptions,
): Promise<string> {
  const running = execa(program, args, { ...options, detached: true });
  const { pid } = running;
  if (pid === undefined) return (await running).stdout;
  add(pid);
  const timer = timeout === undefined ? undefined : setTimeout(end, timeout, pid);
  try {
    return (await running).stdout;
  } finally {
    clearTimeout(timer);
    live.delete(pid);
  }
}

function add(leader: number): void {
  if (live.size === 0) {
    process.removeListener('exit', endAll);
    process.once('exit', endAll);
  }
  live.add(leader);
}

function endAll(): void {
  for (const leader of live) end(leader);
}

/** At SIGTERM, compilers' drivers remove their temporary files. */
function end(leader: number): void {
  killGroup(leader, 'SIGTERM');
}
