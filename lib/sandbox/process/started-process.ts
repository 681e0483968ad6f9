import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { once } from '../../core/async/once.ts';
import { tooManyFiles } from '../../files/errors.ts';
import type { Jail } from '../isolation/isolation.ts';
import type { CapturedOutput } from './captured-output.ts';

/** How a process ended: its exit status, or the signal that ended it. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process in its own jail. */
export interface StartedProcess {
  readonly child: Pick<ChildProcess, 'stdin' | 'stdout' | 'stderr' | 'stdio'> & {
    readonly pid?: number | undefined;
  };
  /** Errors of the process that started it, if that is another one. */
  readonly complaints?: CapturedOutput;
  /** Resolves once it has ended; never rejects. A process that could not be started has ended. */
  readonly exited: Promise<Exit>;
  hasExited(): boolean;
  /** Milliseconds that it has waited for a processor, where its `pid` does not tell. */
  waited?(): Promise<number>;
  /** Ends it and everything in its jail, without waiting. */
  kill(): void;
  /** Ends it, waits, closes its streams and removes what its jail has on the host. */
  destroy(): Promise<void>;
}

/**
 * What a descriptor of a process is connected to; a stream is handed over and is then no longer this
 * process's.
 */
export type Descriptor = 'pipe' | 'ignore' | Duplex;

/**
 * Starts the processes that verdicts wait for, without execa, which starts most others:
 * docs/decisions/starting-programs.md has the reason and its measurement. The few processes that a sandbox asks before
 * its first execution are started without it too: loading execa takes longer than starting Node.
 */
export function startProcess(
  { file, args, cwd, env, release }: Jail,
  stdio: readonly [Descriptor, Descriptor, Descriptor, ...Descriptor[]],
  environment: Readonly<Record<string, string>>,
): StartedProcess {
  const child = spawn(file, args, {
    cwd,
    env: { ...env, ...environment },
    stdio: [...stdio],
    // Its own session and process group, which can be killed as a whole.
    detached: true,
  });
  // Node leaves the streams out where the system has no descriptors left for them, and reports it later.
  if ((child.stdio as ChildProcess['stdio'] | undefined) === undefined) {
    child.once('error', () => {});
    throw tooManyFiles();
  }
  // Writing to a process that has ended is reported by its exit, not by the broken pipe.
  for (const stream of child.stdio) stream?.on('error', () => {});
  let ended: Exit | undefined;
  const exited = new Promise<Exit>(resolve => {
    const end = (exit: Exit) => {
      ended = exit;
      resolve(exit);
    };
    child.once('exit', (code, signal) => end({ code, signal }));
    child.once('error', () => end({ code: null, signal: null }));
  });
  const kill = () => {
    if (ended !== undefined || child.pid === undefined) return;
    killGroup(child.pid);
    child.kill('SIGKILL');
  };
  const destroy = once(async () => {
    kill();
    await exited;
    // Again, for processes that the group started between the signal and its leader's end.
    if (child.pid !== undefined) killGroup(child.pid);
    for (const stream of child.stdio) stream?.destroy();
    await release();
  });
  return {
    child,
    exited,
    hasExited: () => ended !== undefined,
    kill,
    destroy,
  };
}

/** Ends the leader of a process group, and the group. */
export function killGroup(leader: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // It has ended already.
  }
}
