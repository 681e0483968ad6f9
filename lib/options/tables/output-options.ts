import { optionNeeds } from '../errors.ts';
import { type Given, type OptionTable, type OptionValues, parseOptions, withEach } from '../option.ts';
import { flag, text, wholeNumber } from '../option-checks.ts';

/** The options of a run that say what is written, shown and resumed. */
export const outputOptions = {
  ...withEach(
    { group: 'Output' },
    {
      out: {
        schema: text('the path of a .jsonl file').optional(),
        argument: '<file>',
        about: 'results file, one JSON record per line',
        defaultText: 'results/…',
        isCommon: true,
      },
      visualize: {
        schema: flag(),
        about: 'also write a report next to the results: .html and .png',
        isCommon: true,
      },
      resume: {
        schema: flag(),
        about: 'continue --out, or the last unfinished run: skip judged tasks and run those in error again',
        isCommon: true,
      },
      robust: {
        schema: flag(),
        about: 'compare solutions with the reference on up to 1,000 generated inputs (Python, JavaScript)',
        isCommon: true,
        decidesResults: true,
        folderMaySet: true,
      },
      saveState: {
        schema: text('the path of a folder').optional(),
        argument: '<folder>',
        about: 'save the state of each task, so that --resume continues in the middle of a task',
      },
      retryErrors: { schema: flag(), about: 'with --resume: run only the tasks in error again' },
      failFast: {
        schema: flag(),
        about: 'stop at the first task that ends in an error',
        folderMaySet: true,
      },
      maxErrors: {
        schema: wholeNumber(0, 1_000_000).default(5),
        argument: '<n>',
        about: 'stop after n tasks in a row with the same error; 0: never',
        folderMaySet: true,
      },
      verbose: {
        schema: flag(),
        short: 'v',
        about: 'show each node with what it sends, its text, verdict and diff',
        isCommon: true,
        folderMaySet: true,
      },
      quiet: { schema: flag(), about: 'print errors and the summary only', isCommon: true },
      inspect: { schema: flag(), about: 'show the live machine on a local page', isCommon: true },
      inspectContent: { schema: flag(), about: 'with --inspect: also show prompts, completions and code' },
    },
  ),
} as const satisfies OptionTable;

/** How `run` and `score` resume without `--out`. */
export const resumeOptions = {
  yes: {
    schema: flag(),
    group: 'Output',
    about: 'with --resume and without --out: continue the last unfinished run without asking',
  },
} as const satisfies OptionTable;

/** @throws HefixError if `--yes` was given without `--resume`. */
export function takeResume(given: Given): OptionValues<typeof resumeOptions> & { readonly rest: Given } {
  const { yes: own, ...rest } = given;
  const { yes } = parseOptions(resumeOptions, own === undefined ? {} : { yes: own });
  if (yes && (given.resume === undefined || given.resume === false)) throw optionNeeds('--yes', '--resume');
  return { yes, rest };
}
