import { languages } from '../../core/task.ts';
import {
  choice,
  flag,
  type Given,
  type OptionTable,
  type OptionValues,
  optionConflict,
  optionInvalid,
  optionNeeds,
  parseOptions,
  text,
  wholeNumber,
  withEach,
} from '../../options/option.ts';
import { runOptions } from '../../options/tables/run-options.ts';

const levels = ['bubblewrap', 'namespaces', 'seatbelt', 'ulimit', 'docker'] as const;

export const attackOptions = {
  command: {
    schema: text('a command with {code} and {tests}').optional(),
    argument: '<line>',
    group: 'Sandbox',
    about:
      'another judge: {code}, {tests}, {entry_point} and {language} are replaced; exit code 0 means passed',
    isCommon: true,
  },
  level: {
    schema: choice(levels).optional(),
    argument: '<name>',
    group: 'Sandbox',
    about: `isolation: ${levels.join(', ')}`,
    defaultText: 'the strongest that works',
    isCommon: true,
  },
  ...withEach(
    { group: 'Data', isCommon: true },
    {
      lang: {
        schema: choice(languages).optional(),
        argument: '<name>',
        about: `only programs in one language: ${languages.join(', ')}`,
        defaultText: 'all with a compiler here; with --command python and js',
      },
      class: {
        schema: text('the name of a class').optional(),
        argument: '<names>',
        about: 'only these classes, separated by commas',
      },
      all: {
        schema: flag(),
        about: 'with --command: also run programs that may harm a host whose judge does not isolate them',
      },
    },
  ),
  timeout: {
    schema: wholeNumber(1, 600).default(5),
    argument: '<seconds>',
    group: 'Sandbox',
    about: 'time limit of each program',
  },
  memory: runOptions.memory,
  workers: {
    schema: wholeNumber(1, 1000).default(2),
    argument: '<n>',
    group: 'Sandbox',
    about: 'programs judged at once',
  },
  json: {
    schema: flag(),
    group: 'Output',
    about: 'print the whole report as one JSON object',
    isCommon: true,
  },
  quiet: { ...runOptions.quiet, about: 'print errors and the result only' },
} as const satisfies OptionTable;
export type AttackOptions = OptionValues<typeof attackOptions>;

/** @throws HefixError naming the invalid option. */
export function parseAttackOptions(input: Given): AttackOptions {
  const options = parseOptions(attackOptions, input);
  const { command, level, all } = options;
  if (command !== undefined && !(command.includes('{code}') && command.includes('{tests}')))
    throw optionInvalid('--command', command, 'a command with {code} and {tests}');
  if (command !== undefined && level !== undefined)
    throw optionConflict('--level', '--command', 'A command brings its own isolation.');
  if (command === undefined && all) throw optionNeeds('--all', '--command');
  return options;
}
