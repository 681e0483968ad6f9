import { choice, type Given, type OptionTable, type OptionValues, parseOptions, text } from '../option.ts';
import { checkOutputOptions, completeOptions, type RunOptions, runOptions } from './run-options.ts';

const { dataset, lang, columns, limit, tasks, shard, workers } = runOptions;
const { timeout, memory, sandbox, isolation, requireIsolation, judge } = runOptions;
const { out, robust, visualize, resume, retryErrors, failFast, maxErrors, verbose, quiet } = runOptions;

/** The options of `hefix score`: those of a run that ask no model. */
export const scoreOptions = {
  name: {
    schema: text('a name').optional(),
    argument: '<name>',
    group: 'Data',
    about: 'name of the samples in reports, such as the model that wrote them',
    defaultText: "the file's name",
    isCommon: true,
  },
  format: {
    schema: choice(['records', 'generations']).default('records'),
    argument: '<name>',
    group: 'Output',
    about:
      'records: judge the samples; generations: write the programs of a results file as generations.json',
  },
  dataset: { ...dataset, about: `the tasks that the samples are for: ${dataset.about}` },
  lang,
  columns,
  limit: { ...limit, about: 'score samples of the first n tasks only' },
  tasks: { ...tasks, about: 'score samples of these tasks only: ids or globs, separated by commas' },
  shard: { ...shard, about: 'score the i-th of n parts of the tasks; hefix merge joins the parts' },
  workers: { ...workers, about: 'executions at once; WORKERS sets the default' },
  timeout,
  memory,
  sandbox,
  isolation,
  requireIsolation,
  judge,
  out,
  robust,
  visualize,
  resume: {
    ...resume,
    about: 'continue --out, or the last unfinished run: skip judged samples and score those in error again',
  },
  retryErrors: { ...retryErrors, about: 'with --resume: score only the samples in error again' },
  failFast: { ...failFast, about: 'stop at the first sample that ends in an error' },
  maxErrors: { ...maxErrors, about: 'stop after n samples in a row with the same error; 0: never' },
  verbose: { ...verbose, about: 'show each sample with its verdict and diff' },
  quiet,
} as const satisfies OptionTable;

export interface ScoreOptions {
  readonly name: string | undefined;
  /** With `generations`, nothing is judged. */
  readonly format: 'records' | 'generations';
  /** As a manifest holds them: one sample is one shot without feedback. */
  readonly run: RunOptions;
}

/** @throws HefixError naming the option that is wrong. */
export function parseScoreOptions(input: Given): ScoreOptions {
  const { name, format, ...run }: OptionValues<typeof scoreOptions> = parseOptions(scoreOptions, input);
  const rest = parseOptions(runOptions, {});
  const all = { ...rest, ...run, agent: 'one-shot', feedback: 'none' } as const;
  checkOutputOptions(all);
  return { name, format, run: completeOptions(all) };
}
