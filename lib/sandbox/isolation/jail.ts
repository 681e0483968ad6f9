import type { IsolationLevel } from '../../core/verdict.ts';
import type { Mounts } from './mounts.ts';

/** The levels that a process on this machine can have; Docker has a sandbox of its own. */
export type ProcessIsolationLevel = Exclude<IsolationLevel, 'docker'>;

/** What a jail may use at most. MiB are 2^20 bytes. */
export interface Limits {
  /** Address space of the process; it cannot fork where seccomp works, so it is the jail's memory. */
  readonly memoryMiB: number;
  /** Processor time, all threads together; the kernel kills the process one second later. */
  readonly cpuSeconds: number;
  /** Processes and threads alive at once, the interpreter included. */
  readonly processes: number;
  /** Let processes fork where namespaces end them with the jail; each then has the memory limit for itself. */
  readonly mayFork?: boolean;
  readonly openFiles: number;
  /** Size of any one file. */
  readonly fileSizeMiB: number;
  /** All files in the work folder together; not enforced at the `ulimit` level. */
  readonly workFolderMiB: number;
}

/** How to start one process inside a jail of its own. */
export interface Jail {
  readonly file: string;
  readonly args: string[];
  /** The whole environment: give it to `spawn` as it is. */
  readonly env: Record<string, string>;
  readonly cwd: string;
  /** Removes what the jail has on the host; call it once the process has ended. */
  release(): Promise<void>;
}

/**
 * A jail for a program of ours that never reads foreign code and forks processes that do, each into a jail of its own
 * inside (python/jails.py). Needs no work folder and has no limits itself.
 */
export interface OuterJail extends Jail {
  inner(): InnerJail;
}

/** One jail inside another, which python/jails.py makes. */
export interface InnerJail {
  /** What the forking process knows of it. */
  readonly words: string;
  /** Removes what the jail has on the host; call it once the process has ended. */
  release(): Promise<void>;
}

/** What a jail is to be made for. */
export interface Plan {
  readonly argv: readonly string[];
  /** All that the command reads. */
  readonly mounts: Mounts;
  /** The programs that the command, once confined, goes on to execute; empty if it is one itself. */
  readonly executable: readonly string[];
  /** Whether it may start them as processes of their own, which each have the limits; it becomes one of them otherwise. */
  readonly forks?: boolean;
  /** What confine.py has to achieve inside, as the probe found that it can. */
  readonly needs: readonly string[];
  /** Whose system calls are filtered, as `process.arch` names it. */
  readonly architecture: string;
  /** Whether bubblewrap is to leave confine.py the right to make the mounts of device files read-only. */
  readonly seal: boolean;
  readonly limits: Limits;
}
