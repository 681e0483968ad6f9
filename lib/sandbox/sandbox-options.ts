import type { Limits, ProcessIsolationLevel } from './isolation/jail.ts';

/** Options of every sandbox; each ignores those that do not concern it. */
export interface SandboxOptions {
  /** Wall-clock seconds that one execution may take; 10 by default. */
  readonly timeoutSeconds?: number;
  /** Memory that one execution may take, in MiB; 1024 by default. */
  readonly memoryMiB?: number;
  /** The level of isolation, which must work here; the strongest that works by default. */
  readonly isolation?: ProcessIsolationLevel | undefined;
  /** Refuses the weakest level. */
  readonly requireIsolation?: boolean;
  /** See DetectOptions: whether the level that an earlier process found is used, or determined again. */
  readonly recall?: boolean | undefined;
  /** The command that starts Python on this system; `python3` by default. */
  readonly python?: string;
  /** Hash seed of Python candidates, from 0 to 4294967295; 0 by default. */
  readonly hashSeed?: number;
  /** Number of executions whose processes are started ahead; 2 by default. 0 is for a single execution. */
  readonly poolSize?: number;
  /** Executions after which a container is replaced; 200 by default. */
  readonly maxExecutions?: number;
}

/** The options that have a default. */
export function withDefaults(options: SandboxOptions) {
  const { timeoutSeconds = 10, memoryMiB = 1024, hashSeed = 0, poolSize = 2, maxExecutions = 200 } = options;
  return { ...options, timeoutSeconds, memoryMiB, hashSeed, poolSize, maxExecutions };
}

/** Seconds of processor time beyond the time limit: it only ends what outlives us, since the wall clock decides. */
const extraSeconds = 10;

/**
 * Limits of one execution's processes. `processors` are how many they keep busy: runtimes that compile and collect
 * garbage in threads of their own take 2.
 */
export function executionLimits(timeoutSeconds: number, memoryMiB: number, processors: 1 | 2 = 1): Limits {
  return {
    memoryMiB,
    cpuSeconds: Math.ceil(processors * timeoutSeconds) + extraSeconds,
    processes: 64,
    openFiles: 64,
    fileSizeMiB: 64,
    workFolderMiB: 64,
  };
}
