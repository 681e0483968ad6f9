import { HefixError } from '../../core/errors.ts';

export function mergeOverlap(name: string, first: string, second: string): HefixError {
  return new HefixError(
    'MERGE_OVERLAP',
    `${first} and ${second} both contain ${name}.`,
    'Merge each part of a run once, such as the results of --shard 1/2 and --shard 2/2.',
  );
}

export function mergeMismatch(what: string, first: [string, string], second: [string, string]): HefixError {
  return new HefixError(
    'MERGE_MISMATCH',
    `${first[0]} was written with ${what} ${first[1]}, and ${second[0]} with ${second[1]}.`,
    'Only parts of one run can be merged; use hefix compare for two runs.',
  );
}

export function mergeInProgress(path: string): HefixError {
  return new HefixError('MERGE_GROWING', `${path} is still being written.`, 'Wait until its run has ended.');
}
