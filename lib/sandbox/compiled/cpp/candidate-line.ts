import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Isolation, Limits } from '../../isolation/isolation.ts';
import { captureOutput } from '../../process/captured-output.ts';
import { outputGrace } from '../../process/execution-of.ts';
import { startProcess } from '../../process/started-process.ts';
import { sourceNames } from './sources.ts';

const LIMITS: Limits = {
  memoryMiB: 512,
  cpuSeconds: 5,
  processes: 4,
  openFiles: 64,
  fileSizeMiB: 1,
  workFolderMiB: 1,
};
const WALL_MILLISECONDS = 10_000;

/**
 * The candidate's source line at the first of the addresses, innermost first, that is in its source; others
 * are in templates of the library. Runs in a jail, because the candidate can influence its library's line
 * tables.
 */
export async function candidateLine(
  isolation: Isolation,
  lineFinder: string,
  library: string,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<number | undefined> {
  const jail = isolation.program([lineFinder, '-e', library, ...addresses], [library], LIMITS);
  const finder = startProcess(jail, ['ignore', 'pipe', 'ignore'], {});
  try {
    const output = captureOutput(finder.child.stdout as Readable);
    const late = pause(WALL_MILLISECONDS, undefined, { signal, ref: false });
    await Promise.race([finder.exited, late]);
    await output.ended(outputGrace);
    const line = new RegExp(`(?:^|/)${sourceNames.candidate}:(\\d+)`, 'm').exec(output.text())?.[1];
    return line === undefined ? undefined : Number(line);
  } finally {
    await finder.destroy();
  }
}
