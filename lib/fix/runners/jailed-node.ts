import { existsSync } from 'node:fs';
import type { IsolationLevel } from '../../core/verdict.ts';
import { detectIsolation, type Jail, type Limits } from '../../sandbox/isolation/isolation.ts';
import { preparePython } from '../../sandbox/python/host/python-programs.ts';
import type { JailOptions } from './jailed-python.ts';

/** How Node is started in a jail, which Python closes around it. */
export interface JailedNode {
  readonly isolation: IsolationLevel;
  readonly warning: string | null;
  command(words: readonly string[], readable: readonly string[]): Jail;
}

/** @throws HefixError (`PYTHON_MISSING`, `PYTHON_TOO_OLD`, `ISOLATION_UNAVAILABLE`, `ISOLATION_TOO_WEAK`) */
export async function jailedNode(options: JailOptions): Promise<JailedNode> {
  const { isolation: wanted, requireIsolation, memoryMiB, seconds } = options;
  const { executable } = await preparePython();
  const isolation = await detectIsolation({
    python: executable,
    requireIsolation,
    ...(wanted && { wanted }),
  });
  const limits: Limits = {
    memoryMiB,
    // The wall clock decides; this ends what outlives us.
    cpuSeconds: Math.ceil(seconds) * 4 + 60,
    processes: 64,
    openFiles: 256,
    fileSizeMiB: 64,
    workFolderMiB: 512,
  };
  return {
    isolation: isolation.level,
    warning: isolation.warning,
    command: (words, readable) =>
      isolation.program([process.execPath, ...words], readable.filter(existsSync), limits),
  };
}
