import { optionRequired } from '../core/errors.ts';
import { type Flag, runFlags } from './run-flags.ts';
import { parseRunOptions, type RunOptions } from './run-options.ts';

const {
  limit: _limit,
  tasks: _tasks,
  shard: _shard,
  samples: _samples,
  workers: _workers,
  out: _out,
  visualize: _visualize,
  resume: _resume,
  saveState: _saveState,
  retryErrors: _retryErrors,
  failFast: _failFast,
  maxErrors: _maxErrors,
  verbose: _verbose,
  quiet: _quiet,
  ...flags
} = runFlags;

/** Those of a run that mean something for one task alone. */
export const stepFlags: Readonly<Record<string, Flag>> = {
  task: { flags: '--task <id>', group: 'Data', about: 'the task to walk through: mini/3' },
  ...flags,
};

/** @throws HefixError naming the option that is missing or wrong. */
export function parseStepOptions({ task, ...given }: Readonly<Record<string, unknown>>): RunOptions {
  if (task === undefined) throw optionRequired('--task', 'step');
  return parseRunOptions({ ...given, tasks: task });
}
