import { z } from 'zod';
import {
  choice,
  flag,
  type Given,
  longName,
  number,
  type OptionTable,
  type OptionValues,
  optionConflict,
  optionNeeds,
  parseOptions,
  text,
  wholeNumber,
} from '../option.ts';
import {
  checkLocalModelOptions,
  checkServerOptions,
  localModelOptions,
  serverOptions,
} from './model-options.ts';
import { parseRunOptions, type RunOptions, runOptions } from './run-options.ts';

const { model, backend, temperature, maxNewTokens, seed } = runOptions;
const { isolation, requireIsolation, quiet, inspect, inspectContent } = runOptions;

/** What decides which model is opened, and how. */
const modelOptions = {
  model,
  backend,
  ...localModelOptions,
  ...serverOptions,
} as const satisfies OptionTable;

/** The options of `hefix fix`. */
export const fixOptions = {
  tests: {
    schema: text('paths of files or folders, separated by commas').optional(),
    argument: '<paths>',
    group: 'Data',
    about: 'files or folders of tests, separated by commas',
    defaultText: "the docstrings' examples and the test files named after the file",
    isCommon: true,
  },
  python: {
    schema: text('the path of an interpreter').optional(),
    argument: '<path>',
    group: 'Data',
    about: 'interpreter that runs the tests',
    defaultText: 'the active virtual environment, .venv, or python3',
    isCommon: true,
  },
  packages: {
    schema: text('paths of folders, separated by commas').optional(),
    argument: '<folders>',
    group: 'Data',
    about: 'folders outside of the project that links in node_modules may lead to, separated by commas',
  },
  env: {
    schema: text('a name, or NAME=VALUE')
      .refine(
        lines => lines.split('\n').every(line => /^[A-Za-z_]\w*(?:=|$)/.test(line)),
        'a name, or NAME=VALUE',
      )
      .optional(),
    argument: '<name[=value]>',
    repeats: true,
    group: 'Data',
    about: 'a variable that the tests see, with your value or another; may be repeated',
    isCommon: true,
  },
  write: {
    schema: z.union([z.boolean(), z.literal('unsure')], { error: 'no value or unsure' }).default(false),
    word: 'unsure',
    group: 'Output',
    about: 'write the repair into the files; --write unsure also writes a change that passes and is unsure',
    isCommon: true,
  },
  apply: {
    schema: z.union([z.boolean(), z.literal('unsure')], { error: 'no value or unsure' }).default(false),
    word: 'unsure',
    group: 'Output',
    about:
      'write the change that hefix fix showed last in this folder, without another search, or with --patch its diff; --apply unsure also takes one that is unsure',
    isCommon: true,
  },
  backup: { schema: flag(), group: 'Output', about: 'with --write or --apply: keep each file as NAME.orig' },
  patch: {
    schema: text('the path of a file').optional(),
    argument: '<file>',
    group: 'Output',
    about: 'write the diff to a file',
    isCommon: true,
  },
  addTest: {
    schema: wholeNumber(1, 20).optional(),
    argument: '<n>',
    group: 'Output',
    about: 'if several repairs pass, take the nth answer to the question about them, and add its test',
  },
  json: { schema: flag(), group: 'Output', about: 'print one JSON object', isCommon: true },
  saveState: {
    schema: text('the path of a file').optional(),
    argument: '<file>',
    group: 'Output',
    about: 'save the state of the repair, and go on from it after an interruption',
  },
  showSuspects: {
    schema: flag(),
    group: 'Output',
    about: 'rank the functions by how suspicious the tests make them, and stop',
    isCommon: true,
  },
  watch: { schema: flag(), group: 'Output', about: 'run again whenever a file changes', isCommon: true },
  time: {
    schema: number('seconds, above 0, at most 86400', value => value > 0 && value <= 86_400).optional(),
    argument: '<seconds>',
    group: 'Agent',
    about: 'time limit of the repair, without the last run of all tests',
    defaultText: '60, or 300 with a model that writes the repair',
    isCommon: true,
  },
  questionTime: {
    schema: number('seconds, 0 to 3600', value => value >= 0 && value <= 3600).default(5),
    argument: '<seconds>',
    group: 'Agent',
    about: 'after a repair, the time to find others that pass and behave differently; 0 for none',
  },
  agent: {
    schema: choice(['reflect', 'tools', 'search']).default('reflect'),
    argument: '<name>',
    group: 'Agent',
    about:
      'reflect (answers of the model and enumerated edits), tools (the same; a server’s model may read files and run tests first) or search (enumerated edits)',
    folderMaySet: true,
  },
  iters: {
    schema: wholeNumber(0, 1000).optional(),
    argument: '<n>',
    group: 'Agent',
    about: 'answers after the first, with what the tests say, of a model that writes the repair',
    defaultText: '5',
    folderMaySet: true,
  },
  maxRequests: {
    schema: wholeNumber(1, 1000).default(6),
    argument: '<n>',
    group: 'Agent',
    about: 'requests for each bug to a model that writes the repair',
    folderMaySet: true,
  },
  maxTokens: {
    schema: wholeNumber(1, 1_000_000_000).optional(),
    argument: '<n>',
    group: 'Agent',
    about: 'ask such a model nothing more once its prompts and answers have had so many tokens',
    defaultText: 'no limit',
    folderMaySet: true,
  },
  context: {
    schema: wholeNumber(1000, 1_000_000).default(8000),
    argument: '<tokens>',
    group: 'Agent',
    about: 'size of a prompt to such a model: failing tests, and the most suspicious code that fits',
    folderMaySet: true,
  },
  beams: {
    schema: wholeNumber(0, 64).default(12),
    argument: '<n>',
    group: 'Sampling',
    about: 'likeliest answers of each function, from a model that writes edits',
    folderMaySet: true,
  },
  noRank: { ...runOptions.noRank, about: 'try enumerated edits only; needs no model' },
  ...modelOptions,
  temperature: {
    ...temperature,
    about: 'temperature of the answers; 0 takes the likeliest',
    defaultText: '0, and 0.2 more with each answer',
  },
  maxNewTokens: {
    ...maxNewTokens,
    schema: maxNewTokens.schema.unwrap().optional(),
    defaultText: '4096, or 1024 for a local model',
  },
  seed,
  timeout: {
    ...runOptions.timeout,
    schema: number('seconds, above 0, at most 3600', value => value > 0 && value <= 3600).default(5),
    about: 'time limit of one test',
  },
  memory: {
    ...runOptions.memory,
    schema: wholeNumber(64, 1_048_576).default(2048),
    about: 'memory limit of the process that runs the tests',
  },
  isolation,
  requireIsolation,
  allowNetwork: { schema: flag(), group: 'Sandbox', about: 'let the tests reach the network' },
  verbose: { ...runOptions.verbose, about: 'show each step of the repair with its time' },
  quiet,
  inspect,
  inspectContent,
} as const satisfies OptionTable;
export type FixCommandOptions = OptionValues<typeof fixOptions>;

/** @throws HefixError naming the invalid option. */
export function parseFixOptions(input: Given): FixCommandOptions {
  const options = checkServerOptions(parseOptions(fixOptions, input), input);
  checkLocalModelOptions(options.backend, input);
  if (options.backup && !options.write && !options.apply) throw optionNeeds('--backup', '--write');
  if (options.apply) checkApply(options);
  if (options.write && options.showSuspects) throw optionConflict('--write', '--show-suspects');
  if (options.addTest !== undefined && options.showSuspects)
    throw optionConflict('--add-test', '--show-suspects');
  if (options.addTest !== undefined && options.questionTime === 0)
    throw optionConflict('--add-test', '--question-time 0');
  if (options.watch && options.addTest !== undefined) throw optionConflict('--watch', '--add-test');
  if (options.watch && options.json) throw optionConflict('--watch', '--json');
  if (options.quiet && options.verbose) throw optionConflict('--quiet', '--verbose');
  if (options.watch && options.saveState !== undefined) throw optionConflict('--watch', '--save-state');
  if (options.watch && options.inspect) throw optionConflict('--watch', '--inspect');
  if (options.inspectContent && !options.inspect) throw optionNeeds('--inspect-content', '--inspect');
  return options;
}

/** `--apply` does not search. */
function checkApply({ write, showSuspects, watch, addTest, saveState, inspect }: FixCommandOptions): void {
  const searching = { write, showSuspects, watch, addTest, saveState, inspect };
  for (const [name, value] of Object.entries(searching))
    if (value !== undefined && value !== false) throw optionConflict('--apply', longName(name));
}

/** The same options as a run takes them, for the model. */
export function fixModelOptions(input: Given): RunOptions {
  return parseRunOptions(Object.fromEntries(Object.entries(input).filter(([key]) => key in modelOptions)));
}
