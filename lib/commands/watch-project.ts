import { statSync, watch } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { HefixError } from '../core/errors.ts';
import { printable } from '../core/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Changes within so many milliseconds count as one, because editors save in several steps. */
const QUIET_MS = 300;

/**
 * Repeats the repair each time a file below the target's folder changes, until aborted. Errors are printed,
 * and watching continues.
 */
export async function watchProject(
  target: string | undefined,
  once: () => Promise<number>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const path = resolve(target?.split('::')[0] ?? '.');
  const folder = statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path;
  let changed = (): void => {};
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (!/(?:^|[\\/])(?:\.git|node_modules|__pycache__|\.pytest_cache)(?:[\\/]|$)|\.tmp$/.test(name ?? ''))
      changed();
  });
  let code = 0;
  try {
    while (!signal.aborted) {
      code = await once().catch((error: unknown) => {
        if (!(error instanceof HefixError)) throw error;
        terminal.write(`${terminal.colors.red('error')} ${printable(error.message)}\n`);
        return 2;
      });
      terminal.write('Waiting for changes; Ctrl-C ends.\n');
      await new Promise<void>(resume => {
        changed = resume;
        signal.addEventListener('abort', () => resume(), { once: true });
      });
      await wait(QUIET_MS);
    }
  } finally {
    watcher.close();
  }
  return code;
}
