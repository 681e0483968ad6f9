import type { IsolationLevel } from '../../core/verdict.ts';
import type { Mounts } from './mounts.ts';

/** The levels that a process on this system can have; Docker has its own sandbox. */
export type ProcessIsolationLevel = Exclude<IsolationLevel, 'docker'>;

/**
 * The network of a jail: the machine's, or a namespace of its own in which its processes reach only each other. At a
 * level without namespaces, the latter is none.
 */
export type Network = 'machine' | 'loopback';

/** Limits of a jail. A MiB is 2^20 bytes. */
export interface Limits {
  /**
   * Address space per process; of programs other than Python, private writable memory. Where seccomp works, the process
   * cannot fork, so this limits the whole jail.
   */
  readonly memoryMiB: number;
  /** Processor time of all threads; the kernel kills the process one second later. */
  readonly cpuSeconds: number;
  /**
   * Processes and threads alive at once, including the interpreter. At level `ulimit`, for an ordinary user, the tasks
   * of the whole system come on top, since the kernel counts per user.
   */
  readonly processes: number;
  /**
   * Allow forking, and starting programs of the work folder, where the namespace ends all processes with the jail; the
   * memory limit then applies to each process.
   */
  readonly mayFork?: boolean;
  /** By default, there is none. */
  readonly network?: Network;
  /** Name the user, and show what programs read about users and hosts; not at the levels without namespaces. */
  readonly namesUser?: boolean;
  /** Show /proc with the jail's own processes, as far as the level can. */
  readonly showsProcesses?: boolean;
  readonly openFiles: number;
  /** Size of any one file. */
  readonly fileSizeMiB: number;
  /** Total size of the files in the work folder; not enforced at the levels without namespaces. */
  readonly workFolderMiB: number;
}

/** How to start one process inside its own jail. */
export interface Jail {
  readonly file: string;
  readonly args: string[];
  /** The complete environment to pass to `spawn`. */
  readonly env: Record<string, string>;
  readonly cwd: string;
  /** Removes the jail's files on the host; call it after the process has ended. */
  release(): Promise<void>;
}

/**
 * A jail for a program of hefix that reads no untrusted code and forks processes that do, each into its own
 * jail inside (python/programs/jail/jails.py). It needs no work folder and has no limits itself.
 */
export interface OuterJail extends Jail {
  inner(): InnerJail;
}

/** A jail inside another jail, made by python/programs/jail/jails.py. */
export interface InnerJail {
  /** Its description for the forking process. */
  readonly description: string;
  /** Removes the jail's files on the host; call it after the process has ended. */
  release(): Promise<void>;
}

/** What a jail is made for. */
export interface Plan {
  readonly argv: readonly string[];
  /** Everything that the command reads. */
  readonly mounts: Mounts;
  /** The programs that the confined command executes; empty if it executes none. */
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
