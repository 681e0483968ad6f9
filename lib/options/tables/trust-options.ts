import {
  flag,
  type Given,
  type OptionTable,
  type OptionValues,
  optionConflict,
  parseOptions,
} from '../option.ts';

export const trustOptions = {
  list: { schema: flag(), group: 'Output', about: 'list the folders that are trusted', isCommon: true },
  remove: { schema: flag(), group: 'Output', about: 'no longer trust the folder', isCommon: true },
} as const satisfies OptionTable;
export type TrustOptions = OptionValues<typeof trustOptions>;

/** @throws HefixError naming the options that exclude each other. */
export function parseTrustOptions(input: Given): TrustOptions {
  const options = parseOptions(trustOptions, input);
  if (options.list && options.remove) throw optionConflict('--list', '--remove');
  return options;
}
