import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { HefixError } from '../../core/errors.ts';
import { printable } from '../../core/text.ts';
import { projectRootOf } from '../../fix/project/find-project.ts';
import { splitPaths } from '../../fix/project/find-tests.ts';
import { listProject } from '../../fix/project/snapshot.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface WatchedRun {
  readonly exitCode: number;
  /** Absolute paths of the files that it wrote. */
  readonly written: readonly string[];
}

const INTERVAL_MS = 500;
/** Editors save in several steps: files count as saved once they stay the same for this long. */
const QUIET_MS = 300;

/**
 * Repeats the repair each time a file of the project has changed, also while it was repaired, until aborted. Files
 * are compared instead of watched, because Node 20 loses track of files that are replaced. Errors of a repair are
 * printed, and watching continues.
 * @param tests as the option gives them @throws HefixError `TARGET_NOT_FOUND`, `PROJECT_TOO_LARGE`
 */
export async function watchProject(
  target: string | undefined,
  tests: string | undefined,
  once: () => Promise<WatchedRun>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const place = { target, tests: splitPaths(tests ?? ''), cwd: process.cwd() };
  const { root: named, only } = projectRootOf(place);
  const stampsNow = (): Stamps => stampsIn(realpathSync(named), only);
  let exitCode = 0;
  while (!signal.aborted) {
    const before = stampsNow();
    const run = await once().catch((error: unknown): WatchedRun => {
      if (signal.aborted || !(error instanceof HefixError)) throw error;
      terminal.write(`${terminal.colors.red('error')} ${printable(error.message)}\n`);
      return { exitCode: 2, written: [] };
    });
    ({ exitCode } = run);
    const after = stampsNow();
    for (const path of run.written.filter(existsSync).map(written => realpathSync(written))) {
      const stamp = after.get(path);
      if (stamp !== undefined) before.set(path, stamp);
    }
    terminal.write('Waiting for changes; Ctrl-C ends.\n');
    await untilChanged(stampsNow, before, signal);
  }
  return exitCode;
}

async function untilChanged(stampsNow: () => Stamps, before: Stamps, signal: AbortSignal): Promise<void> {
  const pause = (milliseconds: number) => wait(milliseconds, undefined, { signal }).catch(() => {});
  for (let last = before; !signal.aborted; ) {
    const now = stampsNow();
    if (last !== before && isSame(now, last)) return;
    last = isSame(now, before) ? before : now;
    await pause(last === before ? INTERVAL_MS : QUIET_MS);
  }
}

/** Time of change and size of each file, by absolute path. */
type Stamps = Map<string, string>;

function stampsIn(root: string, only: string | null): Stamps {
  return new Map(listProject(root, only).files.map(file => [join(root, file), stampOf(join(root, file))]));
}

/** A file may disappear while the project is listed. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs} ${stats.size}` : '';
}

function isSame(one: Stamps, other: Stamps): boolean {
  return one.size === other.size && [...one].every(([path, stamp]) => other.get(path) === stamp);
}
