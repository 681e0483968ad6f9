import { optionRequired } from '../errors.ts';
import type { Given, OptionTable } from '../option.ts';
import { text } from '../option-checks.ts';
import { parseRunOptions, type RunOptions, runOptions } from './run-options.ts';

const {
  limit: _limit,
  tasks: _tasks,
  shard: _shard,
  samples: _samples,
  workers: _workers,
  out: _out,
  robust: _robust,
  visualize: _visualize,
  resume: _resume,
  saveState: _saveState,
  retryErrors: _retryErrors,
  failFast: _failFast,
  maxErrors: _maxErrors,
  verbose: _verbose,
  quiet: _quiet,
  ...ofOneTask
} = runOptions;

export const stepOptions = {
  task: {
    schema: text('the id of a task').optional(),
    argument: '<id>',
    group: 'Data',
    about: 'the task to walk through, such as mini/3',
    isCommon: true,
  },
  ...ofOneTask,
} as const satisfies OptionTable;

/** @throws HefixError naming the missing or invalid option. */
export function parseStepOptions({ task, ...given }: Given): RunOptions {
  if (task === undefined) throw optionRequired('--task', 'step');
  return parseRunOptions({ ...given, tasks: task });
}
