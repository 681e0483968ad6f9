import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Given,
  number,
  type OptionTable,
  type OptionValues,
  optionInvalid,
  parseOptions,
  text,
  wholeNumber,
  without,
} from '../../options/option.ts';
import { fixOptions } from '../../options/tables/fix-options.ts';
import { parseRunOptions, type RunOptions, runOptions } from '../../options/tables/run-options.ts';
import { stepOptions } from '../../options/tables/step-options.ts';

// What decides how a function is repaired; the calls bring code, tests and language.
const ofRepairs = without(stepOptions, [
  ...(['task', 'dataset', 'lang', 'columns', 'feedback', 'prompt', 'template'] as const),
  ...(['protocolDefaults', 'passAt1', 'inspect', 'inspectContent'] as const),
]);

const ofServer = {
  allow: {
    schema: text('paths of folders, separated by commas').optional(),
    argument: '<folders>',
    group: 'Data',
    about: 'folders below which fix_project may repair, separated by commas',
    defaultText: 'none, and no such tool',
    isCommon: true,
  },
  time: {
    schema: number('seconds, above 0, at most 86400', value => value > 0 && value <= 86_400).default(120),
    argument: '<seconds>',
    group: 'Sandbox',
    about: 'time limit of one call',
    isCommon: true,
  },
  questionTime: fixOptions.questionTime,
  maxSize: {
    schema: wholeNumber(1, 1024).default(256),
    argument: '<KiB>',
    group: 'Sandbox',
    about: 'limit on the code and tests of one call',
    isCommon: true,
  },
  workers: {
    ...runOptions.workers,
    schema: wholeNumber(1, 1000).default(2),
    about: 'calls in progress at once; others wait',
  },
  results: {
    schema: text('the path of a folder').default('results'),
    argument: '<folder>',
    group: 'Output',
    about: 'folder whose latest runs are offered as resources',
    isCommon: true,
  },
} as const satisfies OptionTable;

export const mcpOptions = { ...ofServer, ...ofRepairs } as const satisfies OptionTable;

export type McpOptions = Omit<OptionValues<typeof ofServer>, 'allow'> & {
  /** Absolute paths. */
  readonly allow: readonly string[];
  /** How functions are repaired, and where candidates run. */
  readonly run: RunOptions;
};

/** @throws HefixError naming the option that is wrong. */
export function parseMcpOptions(input: Given): McpOptions {
  const isOwn = (key: string) => Object.hasOwn(ofServer, key);
  const serverInput = Object.fromEntries(Object.entries(input).filter(([key]) => isOwn(key)));
  const others = Object.fromEntries(Object.entries(input).filter(([key]) => !isOwn(key)));
  const values = parseOptions(ofServer, serverInput);
  return {
    ...values,
    allow: foldersIn(values.allow ?? ''),
    run: { ...parseRunOptions(others), workers: values.workers },
  };
}

function foldersIn(list: string): string[] {
  const paths = list.split(',').flatMap(path => (path.trim() === '' ? [] : [resolve(path.trim())]));
  const wrong = paths.find(path => !statSync(path, { throwIfNoEntry: false })?.isDirectory());
  if (wrong !== undefined) throw optionInvalid('--allow', wrong, 'folders that exist');
  return paths;
}
