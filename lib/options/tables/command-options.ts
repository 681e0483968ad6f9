import { defaultDataset } from '../../../dataset/bundled.ts';
import { agentNames, machineFormats, themeNames } from '../../core/choices.ts';
import { languages } from '../../core/task.ts';
import {
  choice,
  flag,
  type Given,
  type OptionTable,
  type OptionValues,
  optionConflict,
  optionNeeds,
  optionRequired,
  parseOptions,
  reportFormUnknown,
  text,
  wholeNumber,
} from '../option.ts';
import { runOptions } from './run-options.ts';

/** The options of commands that have no file of their own, and what those need that must be given. */

const json = (about: string) =>
  ({ schema: flag(), group: 'Output', about, isCommon: true }) as const satisfies OptionTable[string];

const quiet = { ...runOptions.quiet, about: 'print errors and the result only' } as const;

const { sandbox, timeout, memory, isolation, requireIsolation } = runOptions;
const execution = { sandbox, timeout, memory, isolation, requireIsolation } as const;

export const execOptions = {
  code: {
    schema: text('the path of a file').optional(),
    argument: '<file>',
    group: 'Data',
    about: 'the candidate',
    isCommon: true,
  },
  tests: {
    schema: text('the path of a file').optional(),
    argument: '<file>',
    group: 'Data',
    about: 'the tests',
    isCommon: true,
  },
  reference: {
    schema: text('the path of a file').optional(),
    argument: '<file>',
    group: 'Data',
    about: 'a correct solution: errors that only the candidate causes count as its failures',
  },
  entryPoint: {
    schema: text('the name of a function').optional(),
    argument: '<names>',
    group: 'Data',
    about: 'the function or class under test; separate several with commas',
    isCommon: true,
  },
  lang: { ...runOptions.lang, schema: choice(languages).default('python'), defaultText: 'python' },
  ...execution,
  judge: runOptions.judge,
  json: json('print the whole execution as one JSON object'),
} as const satisfies OptionTable;
export type ExecOptions = OptionValues<typeof execOptions> & {
  readonly code: string;
  readonly tests: string;
  readonly entryPoint: string;
};

/** @throws HefixError naming the missing or invalid option. */
export function parseExecOptions(input: Given): ExecOptions {
  const { code, tests, entryPoint, ...rest } = parseOptions(execOptions, input);
  if (code === undefined) throw optionRequired('--code', 'exec');
  if (tests === undefined) throw optionRequired('--tests', 'exec');
  if (entryPoint === undefined) throw optionRequired('--entry-point', 'exec');
  return { ...rest, code, tests, entryPoint };
}

export const verifyOptions = {
  dataset: runOptions.dataset,
  lang: runOptions.lang,
  columns: runOptions.columns,
  limit: runOptions.limit,
  tasks: runOptions.tasks,
  ...execution,
  repeat: {
    schema: wholeNumber(1, 1000).default(1),
    argument: '<n>',
    group: 'Sandbox',
    about: 'judge every solution n times, with varied hash seeds; exit code 1 if a verdict changes',
    isCommon: true,
    folderMaySet: true,
  },
  load: { schema: flag(), group: 'Sandbox', about: 'with --repeat: keep every core busy', isCommon: true },
  workers: { ...runOptions.workers, about: 'executions at once; WORKERS sets the default' },
  out: { ...runOptions.out, about: 'with --queue: file of the records' },
  resume: { ...runOptions.resume, about: 'with --queue: continue --out' },
  quiet,
} as const satisfies OptionTable;
export type VerifyOptions = OptionValues<typeof verifyOptions> & { readonly dataset: string };

/** @throws HefixError naming the invalid option. */
export function parseVerifyOptions(input: Given, { isQueued = false } = {}): VerifyOptions {
  const options = parseOptions(verifyOptions, input);
  if (isQueued && options.load) throw optionConflict('--load', '--queue', 'It would only load this machine.');
  if (!isQueued && options.out !== undefined) throw optionNeeds('--out', '--queue');
  if (!isQueued && options.resume) throw optionNeeds('--resume', '--queue');
  if (options.resume && options.out === undefined) throw optionNeeds('--resume', '--out');
  if (options.load && options.repeat === 1) throw optionNeeds('--load', '--repeat 2 or more');
  return { ...options, dataset: options.dataset ?? defaultDataset(options.lang ?? 'python') };
}

export const compareOptions = { quiet } as const satisfies OptionTable;

export const mergeOptions = {
  out: {
    schema: text('the path of a .jsonl file').optional(),
    argument: '<file>',
    group: 'Output',
    about: 'the file to write',
    isCommon: true,
  },
  quiet,
} as const satisfies OptionTable;

/** @throws HefixError naming the missing or invalid option. */
export function parseMergeOptions(input: Given): { readonly out: string; readonly quiet: boolean } {
  const options = parseOptions(mergeOptions, input);
  if (options.out === undefined) throw optionRequired('--out', 'merge');
  return { out: options.out, quiet: options.quiet };
}

export const exportOptions = {
  out: {
    schema: text('the path of a .csv or .parquet file')
      .refine(path => /\.(csv|parquet)$/.test(path), { error: 'the path of a .csv or .parquet file' })
      .optional(),
    argument: '<file>',
    group: 'Output',
    about: 'the .csv or .parquet file to write',
    isCommon: true,
  },
  quiet,
} as const satisfies OptionTable;

/** @throws HefixError naming the missing or invalid option. */
export function parseExportOptions(input: Given): { readonly out: string; readonly quiet: boolean } {
  const { out, quiet } = parseOptions(exportOptions, input);
  if (out === undefined) throw optionRequired('--out', 'export');
  return { out, quiet };
}

export const reportOptions = {
  out: {
    schema: text('the path of a .png, .svg or .html file').optional(),
    argument: '<file>',
    group: 'Output',
    about: '.png, .svg or .html file to write',
    defaultText: '.html next to the results',
    isCommon: true,
  },
  theme: {
    schema: choice(themeNames).default('light'),
    argument: '<name>',
    group: 'Output',
    about: `${themeNames.join(', ')}; .html follows the reader's own`,
    isCommon: true,
    folderMaySet: true,
  },
  quiet,
} as const satisfies OptionTable;
export type ReportOptions = OptionValues<typeof reportOptions>;

/** @throws HefixError naming the invalid option. */
export function parseReportOptions(input: Given): ReportOptions {
  const options = parseOptions(reportOptions, input);
  if (options.out !== undefined && !/\.(png|svg|html)$/.test(options.out)) {
    throw reportFormUnknown(options.out);
  }
  return options;
}

export const rerunOptions = {
  provider: {
    ...runOptions.provider,
    defaultText: 'none',
    about: `if the model is a server: ${runOptions.provider.about}`,
  },
  baseUrl: { ...runOptions.baseUrl, about: 'if the model is a server: its address' },
  apiKeyEnv: runOptions.apiKeyEnv,
  isolation: runOptions.isolation,
  out: { ...runOptions.out, about: 'results file', defaultText: 'NAME.rerun.jsonl next to NAME.jsonl' },
  resume: runOptions.resume,
  workers: {
    ...runOptions.workers,
    schema: wholeNumber(1, 1000).optional(),
    about: 'tasks in flight at once',
    defaultText: 'as before',
  },
  quiet,
} as const satisfies OptionTable;

export const robustOptions = {
  dataset: { ...runOptions.dataset, about: 'the tasks of the run', defaultText: 'as before' },
  ...execution,
  workers: { ...runOptions.workers, about: 'comparisons at once; WORKERS sets the default' },
  quiet,
} as const satisfies OptionTable;
export type RobustOptions = OptionValues<typeof robustOptions>;

export const viewOptions = {
  port: {
    schema: wholeNumber(0, 65_535).default(0),
    argument: '<n>',
    group: 'Output',
    about: 'port on 127.0.0.1; 0 takes a free one',
    isCommon: true,
  },
  noOpen: { schema: flag(), group: 'Output', about: 'print the address only', isCommon: true },
} as const satisfies OptionTable;

export const doctorOptions = {
  prove: {
    schema: flag(),
    group: 'Sandbox',
    about: 'try each protection of the sandbox and show which ones held',
    isCommon: true,
  },
  json: json('print one JSON array'),
} as const satisfies OptionTable;

export const modelsOptions = {
  folder: {
    schema: text('the path of a folder').default('.'),
    argument: '<path>',
    group: 'Model',
    about: 'folder to search for model folders',
    isCommon: true,
  },
  remove: {
    schema: text('the name of a model').optional(),
    argument: '<name>',
    group: 'Model',
    about: "remove what was built from a model, and its files in the hub's cache, which Python's tools share",
    isCommon: true,
  },
  json: json('print one JSON array'),
} as const satisfies OptionTable;

export const machineOptions = {
  format: {
    schema: choice([...machineFormats, 'svg', 'png']).optional(),
    argument: '<name>',
    group: 'Output',
    about: [...machineFormats, 'svg', 'png'].join(', '),
    defaultText: 'mermaid, or that of --out',
    isCommon: true,
    folderMaySet: true,
  },
  out: {
    schema: text('the path of a file').optional(),
    argument: '<file>',
    group: 'Output',
    about: '.svg, .png, .js (stately), .json or .mmd file to write',
    defaultText: 'standard output',
    isCommon: true,
  },
  agent: {
    ...runOptions.agent,
    schema: choice([...agentNames, 'project', 'suspect', 'writer']).default('reflect'),
    about:
      'the agent whose machine to print; of hefix fix: project, and writer and suspect, which it invokes',
  },
} as const satisfies OptionTable;

export const pullOptions = {
  dtype: { ...runOptions.dtype, isCommon: true },
  revision: {
    schema: text('a branch, a tag or a commit').default('main'),
    argument: '<name>',
    group: 'Model',
    about: 'branch, tag or commit of the model',
    isCommon: true,
  },
  quiet,
} as const satisfies OptionTable;
