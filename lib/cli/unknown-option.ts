import type { HefixError } from '../core/errors.ts';
import { closest } from '../options/closest.ts';
import { optionUnknown } from '../options/errors.ts';
import { namesOf, type OptionTable } from '../options/option.ts';
import { commands } from './commands.ts';
import { optionOfAnother } from './errors.ts';

/** The hint for an unknown option: the command that has it, a similar name, or nothing. */
export async function unknownOption(as: string, name: string, table: OptionTable): Promise<HefixError> {
  const near = closest(as, allNames(table));
  if (near !== undefined) return optionUnknown(as, near);
  const owners: string[] = [];
  for (const { name: other, load } of commands) {
    if (allNames((await load()).options).includes(as)) owners.push(other);
  }
  return owners.length > 0 ? optionOfAnother(as, name, owners) : optionUnknown(as, undefined);
}

function allNames(table: OptionTable): string[] {
  return Object.entries(table).flatMap(([key, option]) => namesOf(key, option));
}
