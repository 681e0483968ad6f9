import { z } from 'zod';
import { defaultDataset } from '../../dataset/bundled.ts';
import { schedules } from '../../machines/temperature.ts';
import { DEFAULT_BUDGET, DEFAULT_SEARCH_SECONDS } from '../agent/search-defaults.ts';
import { agentNames } from '../core/agent-names.ts';
import { optionConflict, optionNeeds } from '../core/errors.ts';
import { languages } from '../core/task.ts';
import { answerFormats } from '../prompt/answer-format.ts';
import { feedbacks } from '../prompt/feedback.ts';
import { promptTemplates, protocols } from '../prompt/published.ts';
import { maxExamples } from '../prompt/worked-examples.ts';
import { type AgentDefaults, agentDefaults, defaultText } from './agent-defaults.ts';
import { checkLocalModelOptions, localModelOptions } from './local-model-options.ts';
import {
  longName,
  type OptionTable,
  type OptionValues,
  parseOptions,
  resultKeys,
  schemaOf,
} from './option.ts';
import { choice, flag, number, shard, text, wholeNumber } from './option-checks.ts';
import { withProtocol } from './protocol-options.ts';
import { checkServerOptions, serverOptions } from './server-options.ts';

const temperature = () => number('a number from 0 to 2', value => value >= 0 && value <= 2).optional();

/** The options of a run, from the command line (as text) or from code (typed). */
export const runOptions = {
  model: {
    schema: text('a short name, a hub id or a folder').default('hefix-mini'),
    argument: '<name>',
    short: 'm',
    group: 'Model',
    about: 'short name, hub id or folder; hefix models lists them',
    isCommon: true,
  },
  backend: {
    schema: choice(['onnx', 'openai', 'scripted']).default('onnx'),
    argument: '<name>',
    group: 'Model',
    about: 'onnx, openai (any OpenAI-compatible server) or scripted (replays the file given with --model)',
    isCommon: true,
  },
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
  lang: {
    schema: z.enum(languages, { error: 'python or js, the languages that run' }).optional(),
    argument: '<language>',
    group: 'Data',
    about: 'language of the tasks: python or js',
    defaultText: "python, or the dataset's own",
    isCommon: true,
    decidesResults: true,
  },
  limit: {
    schema: wholeNumber(1, 1_000_000).optional(),
    argument: '<n>',
    aliases: ['ts', 'max'],
    group: 'Data',
    about: 'run the first n tasks only',
    isCommon: true,
  },
  tasks: {
    schema: text('task ids or globs, separated by commas').optional(),
    argument: '<ids>',
    group: 'Data',
    about: 'run these tasks only: ids or globs, separated by commas',
    isCommon: true,
  },
  shard: {
    schema: shard().optional(),
    argument: '<i/n>',
    group: 'Data',
    about: 'run the i-th of n parts of the tasks; hefix merge joins the parts',
  },
  iters: {
    schema: wholeNumber(0, 1000).optional(),
    argument: '<n>',
    short: 'i',
    group: 'Agent',
    about: 'repair iterations after the draft',
    defaultText: defaultText('iters'),
    isCommon: true,
    decidesResults: true,
  },
  agent: {
    schema: choice(agentNames).default('reflect'),
    argument: '<name>',
    group: 'Agent',
    about: 'reflect, react, tools (function calling), search (enumerated edits) or one-shot',
    isCommon: true,
    decidesResults: true,
  },
  feedback: {
    schema: choice(feedbacks).optional(),
    argument: '<kind>',
    group: 'Agent',
    about: 'what the agent sees between attempts: tests, examples or none',
    defaultText: defaultText('feedback'),
    decidesResults: true,
  },
  answer: {
    schema: choice(['auto', ...answerFormats]).default('auto'),
    argument: '<format>',
    group: 'Agent',
    about: 'whole (function), edit (of lines), or auto: as the model was trained',
    decidesResults: true,
  },
  beams: {
    schema: wholeNumber(0, 64).optional(),
    argument: '<n>',
    group: 'Sampling',
    about: 'candidates by beam search; 0 samples instead',
    defaultText: 'depends on the model',
    decidesResults: true,
  },
  beamPrompt: {
    schema: choice(['first', 'each']).default('each'),
    argument: '<name>',
    group: 'Sampling',
    about: 'each: ask again with every failure; first: try the beams of the draft in turn',
    decidesResults: true,
  },
  candidates: {
    schema: wholeNumber(1, 1000).default(1),
    argument: '<k>',
    group: 'Agent',
    about: 'samples of each prompt; the examples and reported assertions choose one',
    decidesResults: true,
  },
  noExamples: {
    schema: flag(),
    group: 'Agent',
    about: "do not try candidates on the docstring's examples before the tests",
    decidesResults: true,
  },
  searchSeconds: {
    schema: number('seconds, above 0, at most 3600', value => value > 0 && value <= 3600).default(
      DEFAULT_SEARCH_SECONDS,
    ),
    argument: '<seconds>',
    group: 'Agent',
    about: "limit on the processor time of a task's search and prescreen",
    decidesResults: true,
  },
  budget: {
    schema: wholeNumber(0, 100_000).default(DEFAULT_BUDGET),
    argument: '<n>',
    group: 'Agent',
    about: 'limit on the enumerated edits among the candidates; 0 for none',
    decidesResults: true,
  },
  noRank: {
    schema: flag(),
    group: 'Agent',
    about: "try candidates in a fixed order instead of by the model's likelihoods",
    decidesResults: true,
  },
  fewShot: {
    schema: wholeNumber(0, maxExamples).default(0),
    argument: '<n>',
    group: 'Agent',
    about: 'worked examples at the beginning of each prompt',
    decidesResults: true,
  },
  prompt: {
    schema: choice(['agent', ...protocols]).default('agent'),
    argument: '<name>',
    group: 'Agent',
    about: `agent, or a published protocol: ${protocols.join(', ')}`,
    decidesResults: true,
  },
  template: {
    schema: choice(promptTemplates).optional(),
    argument: '<name>',
    group: 'Agent',
    about: 'prompt format of a published protocol: chat, api, or a format of the harness, such as octocoder',
    decidesResults: true,
  },
  protocolDefaults: {
    schema: flag(),
    group: 'Agent',
    about: 'sample as published: temperature 0.2, top-p 0.95, 20 samples, 2048 tokens',
  },
  temperature: {
    schema: temperature(),
    argument: '<t>',
    group: 'Sampling',
    about: 'temperature of the draft; 0 is greedy',
    defaultText: defaultText('temperature'),
    decidesResults: true,
  },
  schedule: {
    schema: choice(schedules).optional(),
    argument: '<name>',
    group: 'Sampling',
    about: 'ramp (warmer each iteration), anneal (cooler) or constant',
    defaultText: defaultText('schedule'),
    decidesResults: true,
  },
  temperatureStep: {
    schema: temperature(),
    argument: '<t>',
    group: 'Sampling',
    about: 'change of the temperature from one iteration to the next',
    defaultText: defaultText('temperatureStep'),
    decidesResults: true,
  },
  topP: {
    schema: number('a number above 0, at most 1', value => value > 0 && value <= 1).default(0.95),
    argument: '<p>',
    group: 'Sampling',
    about: 'probability mass kept; 1 keeps all',
    decidesResults: true,
  },
  topK: {
    schema: wholeNumber(0, 1_000_000).default(0),
    argument: '<k>',
    group: 'Sampling',
    about: 'tokens kept; 0 keeps all',
    decidesResults: true,
  },
  maxNewTokens: {
    schema: wholeNumber(1, 1_000_000).default(512),
    argument: '<n>',
    group: 'Sampling',
    about: 'limit on the tokens of one completion',
    decidesResults: true,
  },
  maxLength: {
    schema: wholeNumber(2, 1_000_000).optional(),
    argument: '<n>',
    group: 'Sampling',
    about: 'limit on the tokens of a prompt and its completion together',
    decidesResults: true,
  },
  thinking: {
    schema: flag(),
    group: 'Sampling',
    about: 'let models that can, such as Qwen3, think before they answer',
    decidesResults: true,
  },
  seed: {
    schema: wholeNumber(0, 2 ** 32 - 1).default(0),
    argument: '<n>',
    group: 'Sampling',
    about: 'the same options and seed give the same records',
    decidesResults: true,
  },
  samples: {
    schema: wholeNumber(1, 10_000).default(1),
    argument: '<n>',
    short: 'n',
    group: 'Sampling',
    about: 'independent runs of each task, for pass@k',
    isCommon: true,
  },
  workers: {
    schema: wholeNumber(1, 1000).default(1),
    argument: '<n>',
    group: 'Agent',
    about: 'tasks in flight at once; WORKERS sets the default',
    isCommon: true,
  },
  timeout: {
    schema: number('seconds, above 0, at most 3600', value => value > 0 && value <= 3600).default(10),
    argument: '<seconds>',
    group: 'Sandbox',
    about: 'time limit of one execution',
    isCommon: true,
    decidesResults: true,
  },
  memory: {
    schema: wholeNumber(64, 1_048_576).default(1024),
    argument: '<MiB>',
    group: 'Sandbox',
    about: 'memory limit of one execution',
    decidesResults: true,
  },
  sandbox: {
    schema: choice(['process', 'docker']).default('process'),
    argument: '<kind>',
    group: 'Sandbox',
    about: 'process, or docker: one warm container, for Python',
    isCommon: true,
  },
  isolation: {
    schema: choice(['bubblewrap', 'namespaces', 'seatbelt', 'ulimit']).optional(),
    argument: '<level>',
    group: 'Sandbox',
    about: 'bubblewrap, namespaces, seatbelt (macOS) or ulimit',
    defaultText: 'the strongest that works',
  },
  requireIsolation: {
    schema: flag(),
    group: 'Sandbox',
    about: 'refuse the weakest level, ulimit',
  },
  out: {
    schema: text('the path of a .jsonl file').optional(),
    argument: '<file>',
    group: 'Output',
    about: 'results file, one JSON record per line',
    defaultText: 'results/…',
    isCommon: true,
  },
  visualize: {
    schema: flag(),
    group: 'Output',
    about: 'also write a report next to the results: .html and .png',
    isCommon: true,
  },
  resume: {
    schema: flag(),
    group: 'Output',
    about: 'continue --out: skip judged tasks and run those in error again',
    isCommon: true,
  },
  saveState: {
    schema: text('the path of a folder').optional(),
    argument: '<folder>',
    group: 'Output',
    about: 'save the state of each task, so that --resume continues in the middle of a task',
  },
  retryErrors: {
    schema: flag(),
    group: 'Output',
    about: 'with --resume: run only the tasks in error again',
  },
  failFast: {
    schema: flag(),
    group: 'Output',
    about: 'stop at the first task that ends in an error twice',
  },
  maxErrors: {
    schema: wholeNumber(0, 1_000_000).default(5),
    argument: '<n>',
    group: 'Output',
    about: 'stop after n tasks in a row with the same error; 0: never',
  },
  verbose: {
    schema: flag(),
    short: 'v',
    group: 'Output',
    about: 'show each node with its text, verdict and diff',
    isCommon: true,
  },
  quiet: {
    schema: flag(),
    group: 'Output',
    about: 'print errors and the summary only',
    isCommon: true,
  },
  inspect: {
    schema: flag(),
    group: 'Output',
    about: 'show the live machine on a local page',
    isCommon: true,
  },
  inspectContent: {
    schema: flag(),
    group: 'Output',
    about: 'with --inspect: also show prompts, completions and code',
  },
} as const satisfies OptionTable;

export type GivenRunOptions = OptionValues<typeof runOptions>;
export type RunOptions = GivenRunOptions & AgentDefaults & { readonly dataset: string };

/** The options of a run as stored in a manifest. */
export const runOptionsSchema = schemaOf(runOptions);

/** The options that affect a record's content; a run can only be resumed with the same values. */
export const resultOptions = resultKeys(runOptions) as readonly (keyof RunOptions)[];

/**
 * Validates options and fills in the defaults.
 * @throws HefixError naming the option, the value and the expected form.
 */
export function parseRunOptions(given: Readonly<Record<string, unknown>>): RunOptions {
  const parsed = checkServerOptions(parseOptions(runOptions, given), given);
  checkLocalModelOptions(parsed.backend, given);
  const options = withProtocol(parsed, given);
  checkOutputOptions(options);
  checkAgentOptions(options, given);
  return completeOptions(options);
}

function checkOutputOptions(options: GivenRunOptions): void {
  if (options.quiet && options.verbose) throw optionConflict('--quiet', '--verbose');
  if (options.inspectContent && !options.inspect) throw optionNeeds('--inspect-content', '--inspect');
  if (options.resume && options.out === undefined) throw optionNeeds('--resume', '--out');
  if (options.retryErrors && !options.resume) throw optionNeeds('--retry-errors', '--resume');
  // A script's answers are consumed from the start of the process.
  if (options.saveState !== undefined && options.backend === 'scripted') {
    throw optionConflict('--save-state', '--backend scripted');
  }
}

function checkAgentOptions(options: GivenRunOptions, given: Readonly<Record<string, unknown>>): void {
  const { agent, iters = 0, beams } = options;
  if (agent === 'one-shot' && iters > 0) {
    throw optionConflict('--iters', '--agent one-shot', 'It asks once; leave --iters out.');
  }
  if (agent === 'search' && iters > 0) {
    throw optionConflict('--iters', '--agent search', 'It has no iterations; use --budget.');
  }
  if (given.beamPrompt !== undefined && beams === 0) throw optionConflict('--beam-prompt', '--beams 0');
  for (const key of ['budget', 'noRank'] as const) {
    if (agent !== 'tools' || given[key] === undefined || given[key] === false) continue;
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
