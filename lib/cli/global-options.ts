import type { OptionTable } from '../options/option.ts';
import { flag } from '../options/option-checks.ts';

/** The options of every command. */
export const globalOptions = {
  json: { schema: flag(), group: 'Output', about: 'print the result as JSON on a terminal too' },
  debug: {
    schema: flag(),
    group: 'Output',
    about: 'show what agent, model and sandbox do, with times, and stack traces',
  },
  help: { schema: flag(), short: 'h', group: 'Output', about: 'show help', isCommon: true },
  all: { schema: flag(), group: 'Output', about: 'with --help: show every option', isCommon: true },
  version: { schema: flag(), group: 'Output', about: 'show the version' },
} as const satisfies OptionTable;
