import { optionNeeds } from '../errors.ts';
import { type OptionTable, type OptionValues, parseOptions } from '../option.ts';
import { flag } from '../option-checks.ts';

/** How `run` and `score` resume without `--out`. */
export const resumeOptions = {
  yes: {
    schema: flag(),
    group: 'Output',
    about: 'with --resume and without --out: continue the last unfinished run without asking',
  },
} as const satisfies OptionTable;

type Given = Readonly<Record<string, unknown>>;

/** @throws HefixError if `--yes` was given without `--resume`. */
export function takeResume(given: Given): OptionValues<typeof resumeOptions> & { readonly rest: Given } {
  const { yes: own, ...rest } = given;
  const { yes } = parseOptions(resumeOptions, own === undefined ? {} : { yes: own });
  if (yes && (given.resume === undefined || given.resume === false)) throw optionNeeds('--yes', '--resume');
  return { yes, rest };
}
