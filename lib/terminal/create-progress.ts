import type { RunOptions } from '../options/tables/run-options.ts';
import type { Clock } from '../run/run.ts';
import { lineProgress } from './line-progress.ts';
import { type Progress, silentProgress } from './progress.ts';
import type { Terminal } from './terminal.ts';
import { verboseProgress } from './verbose-progress.ts';

/** The progress display for `--quiet`, `--verbose` or neither. */
export function createProgress(
  { quiet, verbose, workers }: Pick<RunOptions, 'quiet' | 'verbose' | 'workers'>,
  terminal: Terminal,
  clock: Clock,
): Progress {
  if (quiet) return silentProgress();
  return verbose ? verboseProgress(terminal, workers) : lineProgress(terminal, clock);
}
