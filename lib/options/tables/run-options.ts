import { defaultDataset } from '../../../dataset/bundled.ts';
import { requestedJudges } from '../../core/ports.ts';
import { languages } from '../../core/task.ts';
import { extras } from '../../extras.ts';
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
  resultKeys,
  schemaOf,
  shard,
  text,
  wholeNumber,
  withEach,
} from '../option.ts';
import {
  type AgentDefaults,
  agentDefaults,
  agentOptions,
  samplingOptions,
  withProtocol,
} from './agent-options.ts';
import {
  checkLocalModelOptions,
  checkServerOptions,
  localModelOptions,
  serverOptions,
} from './model-options.ts';

const others = extras.flatMap(({ sandboxes = {} }) => Object.entries(sandboxes));

/** The limits and the isolation of executions. */
export const sandboxOptions = {
  ...withEach(
    { group: 'Sandbox' },
    {
      timeout: {
        schema: number('seconds, above 0, at most 3600', value => value > 0 && value <= 3600).default(10),
        argument: '<seconds>',
        about: 'time limit of one execution',
        isCommon: true,
        decidesResults: true,
      },
      memory: {
        schema: wholeNumber(64, 1_048_576).default(1024),
        argument: '<MiB>',
        about: 'memory limit of one execution',
        decidesResults: true,
      },
      sandbox: {
        schema: choice(['process', ...others.map(([name]) => name)]).default('process'),
        argument: '<kind>',
        about: ['process', ...others.map(([name, { about }]) => `${name}: ${about}`)].join(', or '),
        isCommon: true,
      },
      isolation: {
        schema: choice(['bubblewrap', 'namespaces', 'seatbelt', 'ulimit']).optional(),
        argument: '<level>',
        about: 'bubblewrap, namespaces, seatbelt (macOS) or ulimit',
        defaultText: 'the strongest that works',
      },
      requireIsolation: { schema: flag(), about: 'refuse the weakest level, ulimit' },
    },
  ),
} as const satisfies OptionTable;

/** How the hidden tests' verdicts are reached, and which passes count. */
const judgeOption = {
  judge: {
    schema: choice(requestedJudges).default('auto'),
    argument: '<kind>',
    group: 'Sandbox',
    about:
      'auto: the tests decide; proven: a pass in one process, which a candidate could forge, is not counted; isolated: one process for any tests',
    decidesResults: true,
  },
} as const satisfies OptionTable;

/** The options of a run that say what is written, shown and resumed. */
const outputOptions = {
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
export function takeResume(input: Given): OptionValues<typeof resumeOptions> & { readonly rest: Given } {
  const { yes: yesInput, ...rest } = input;
  const { yes } = parseOptions(resumeOptions, yesInput === undefined ? {} : { yes: yesInput });
  if (yes && (input.resume === undefined || input.resume === false)) throw optionNeeds('--yes', '--resume');
  return { yes, rest };
}

/** The options of a run, from the command line (all text) or from code (typed). */
export const runOptions = {
  ...withEach(
    { group: 'Model', isCommon: true },
    {
      model: {
        schema: text('a short name, a hub id, a folder or a GGUF file').default('hefix-mini'),
        argument: '<name>',
        short: 'm',
        about: 'short name, hub id, folder, GGUF file or ollama:<name>; hefix models lists them',
      },
      backend: {
        schema: choice(['onnx', 'openai', 'scripted']).default('onnx'),
        argument: '<name>',
        about:
          'onnx, openai (any OpenAI-compatible server) or scripted (replays the file given with --model)',
      },
    },
  ),
  ...localModelOptions,
  ...serverOptions,
  dataset: {
    schema: text(
      'a bundled name, humanevalpack, a hub id, or a .parquet, .jsonl or .jsonl.gz file',
    ).optional(),
    argument: '<name>',
    short: 'd',
    aliases: ['dataset-path'],
    group: 'Data',
    about: 'bundled name, humanevalpack, hub id, or .parquet, .jsonl or .jsonl.gz file',
    defaultText: 'mini',
    isCommon: true,
  },
  ...withEach(
    { group: 'Data', folderMaySet: true },
    {
      lang: {
        schema: choice(languages).optional(),
        argument: '<language>',
        about: `language of the tasks: ${languages.join(', ')}`,
        defaultText: "python, or the dataset's own",
        isCommon: true,
        decidesResults: true,
      },
      columns: {
        schema: text('pairs such as test=test_code').optional(),
        argument: '<pairs>',
        about: "names of the file's columns: test=test_code,docstring=question",
        decidesResults: true,
      },
      limit: {
        schema: wholeNumber(1, 1_000_000).optional(),
        argument: '<n>',
        aliases: ['ts', 'max'],
        about: 'run the first n tasks only',
        isCommon: true,
      },
      tasks: {
        schema: text('task ids or globs, separated by commas').optional(),
        argument: '<ids>',
        about: 'run these tasks only: ids or globs, separated by commas',
        isCommon: true,
      },
      shard: {
        schema: shard().optional(),
        argument: '<i/n>',
        about: 'run the i-th of n parts of the tasks; hefix merge joins the parts',
      },
    },
  ),
  ...agentOptions,
  passAt1: {
    schema: flag(),
    group: 'Agent',
    about: 'measure pass@1: --no-examples --iters 0, so that nothing is run before the first candidate',
    isCommon: true,
    folderMaySet: true,
  },
  ...samplingOptions,
  ...sandboxOptions,
  ...judgeOption,
  ...outputOptions,
} as const satisfies OptionTable;

export type GivenRunOptions = OptionValues<typeof runOptions>;
export type RunOptions = GivenRunOptions & AgentDefaults & { readonly dataset: string };

/** The options of a run as stored in a manifest. */
export const runOptionsSchema = schemaOf(runOptions);

/** The options that affect a record's content; a run can only be resumed with the same values. */
export const resultOptions = resultKeys(runOptions) as readonly (keyof RunOptions)[];

/** The options that decide which tasks and samples are run. */
export const selectionOptions = ['shard', 'tasks', 'limit', 'samples'] as const;

/**
 * Validates options and fills in the defaults.
 * @throws HefixError naming the option, the value and the expected form.
 */
export function parseRunOptions(input: Given): RunOptions {
  const parsed = checkServerOptions(parseOptions(runOptions, input), input);
  checkLocalModelOptions(parsed.backend, input);
  const options = withPassAt1(withProtocol(parsed, input));
  checkOutputOptions(options);
  checkAgentOptions(options, input);
  return completeOptions(options);
}

/** @throws HefixError naming the option with which candidates are run before the first is judged. */
function withPassAt1(options: GivenRunOptions): GivenRunOptions {
  const { passAt1, agent, feedback, iters = 0 } = options;
  if (!passAt1) return options;
  if (agent === 'search') throw optionConflict('--pass-at-1', '--agent search', 'It runs candidates before.');
  if (feedback === 'examples') throw optionConflict('--pass-at-1', '--feedback examples');
  return { ...options, noExamples: true, iters };
}

/** @throws HefixError naming the options that exclude or need each other. */
export function checkOutputOptions(options: GivenRunOptions): void {
  if (options.quiet && options.verbose) throw optionConflict('--quiet', '--verbose');
  if (options.inspectContent && !options.inspect) throw optionNeeds('--inspect-content', '--inspect');
  if (options.resume && options.out === undefined) throw optionNeeds('--resume', '--out');
  if (options.retryErrors && !options.resume) throw optionNeeds('--retry-errors', '--resume');
  // A script's answers are consumed from the start of the process.
  if (options.saveState !== undefined && options.backend === 'scripted') {
    throw optionConflict('--save-state', '--backend scripted');
  }
}

function checkAgentOptions(options: GivenRunOptions, input: Given): void {
  const { agent, iters = 0, beams } = options;
  if (agent === 'one-shot' && iters > 0) {
    throw optionConflict('--iters', '--agent one-shot', 'It asks once; leave --iters out.');
  }
  if (agent === 'search' && iters > 0) {
    throw optionConflict('--iters', '--agent search', 'It has no iterations; use --budget.');
  }
  if (input.beamPrompt !== undefined && beams === 0) throw optionConflict('--beam-prompt', '--beams 0');
  if (options.withEdits && agent !== 'reflect' && agent !== 'react') {
    throw optionConflict('--with-edits', `--agent ${agent}`);
  }
  if (options.withEdits && options.candidates > 1) throw optionConflict('--with-edits', '--candidates');
  for (const key of ['budget', 'noRank'] as const) {
    if (agent !== 'tools' || input[key] === undefined || input[key] === false) continue;
    throw optionConflict(longName(key), '--agent tools', 'Its answers are no edits.');
  }
}

/** Fills in the defaults that depend on other options. */
export function completeOptions(options: GivenRunOptions): RunOptions {
  const defaults = agentDefaults[options.agent];
  return {
    ...options,
    iters: options.iters ?? defaults.iters,
    temperature: options.temperature ?? defaults.temperature,
    schedule: options.schedule ?? defaults.schedule,
    temperatureStep: options.temperatureStep ?? defaults.temperatureStep,
    feedback: options.feedback ?? defaults.feedback,
    dataset: options.dataset ?? defaultDataset(options.lang ?? 'python'),
  };
}
