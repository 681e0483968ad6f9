import {
  detectIsolation,
  type Isolation,
  type Limits,
  type ProcessIsolationLevel,
} from '../../sandbox/isolation/isolation.ts';

export interface JailOptions {
  readonly memoryMiB: number;
  /** Wall-clock seconds of the whole repair; processes do not outlive it by much. */
  readonly seconds: number;
  readonly isolation: ProcessIsolationLevel | undefined;
  readonly requireIsolation: boolean;
}

/**
 * The isolation and the limits of processes that run a project's tests, in any language. @param python
 * absolute path of the interpreter that closes the jails
 * @throws HefixError (`ISOLATION_UNAVAILABLE`, `ISOLATION_TOO_WEAK`)
 */
export async function testJail(
  python: string,
  { isolation: wanted, requireIsolation, memoryMiB, seconds }: JailOptions,
): Promise<{ readonly isolation: Isolation; readonly limits: Limits }> {
  const isolation = await detectIsolation({ python, requireIsolation, ...(wanted && { wanted }) });
  const limits: Limits = {
    memoryMiB,
    // A backstop: the wall clock decides.
    cpuSeconds: Math.ceil(seconds) * 4 + 60,
    processes: 64,
    mayFork: true,
    openFiles: 256,
    fileSizeMiB: 64,
    workFolderMiB: 512,
  };
  return { isolation, limits };
}
