import { type Given, type OptionTable, optionRequired, text, without } from '../option.ts';
import { parseRunOptions, type RunOptions, runOptions } from './run-options.ts';

/** Options of a whole run, which the walk through one task does not have. */
const ofWholeRun = [
  ...(['limit', 'tasks', 'shard', 'samples', 'workers', 'out', 'robust', 'visualize'] as const),
  ...(['resume', 'saveState', 'retryErrors', 'failFast', 'maxErrors', 'verbose', 'quiet'] as const),
];

export const stepOptions = {
  task: {
    schema: text('the id of a task').optional(),
    argument: '<id>',
    group: 'Data',
    about: 'the task to walk through, such as mini/3',
    isCommon: true,
  },
  ...without(runOptions, ofWholeRun),
} as const satisfies OptionTable;

/** @throws HefixError naming the missing or invalid option. */
export function parseStepOptions({ task, ...input }: Given): RunOptions {
  if (task === undefined) throw optionRequired('--task', 'step');
  return parseRunOptions({ ...input, tasks: task });
}
