import { z } from 'zod';
import { defaultDataset } from '../../dataset/bundled.ts';
import { schedules } from '../../machines/temperature.ts';
import { agentNames } from '../agent/machines.ts';
import { DEFAULT_BUDGET, DEFAULT_SEARCH_SECONDS } from '../agent/search-defaults.ts';
import { optionInvalid } from '../core/errors.ts';
import { languages } from '../core/task.ts';
import { answerFormats } from '../prompt/answer-format.ts';
import { feedbacks } from '../prompt/feedback.ts';
import { promptTemplates, protocols } from '../prompt/published.ts';
import { mostExamples } from '../prompt/worked-examples.ts';
import { type AgentDefaults, agentDefaults } from './agent-defaults.ts';
import { checkLocalModelOptions, localModelOptions } from './local-model-options.ts';
import { choice, flag, longFlag, number, parseOptions, shard, text, wholeNumber } from './option-checks.ts';
import { withProtocol } from './protocol-options.ts';
import { checkServerOptions, serverOptions } from './server-options.ts';

/** The options of a run, from the command line (all text) or from code (typed). */
export const runOptionsSchema = z.strictObject({
  model: text('a short name, a hub id or a folder').default('hefix-mini'),
  backend: choice(['onnx', 'openai', 'scripted']).default('onnx'),
  ...localModelOptions,
  ...serverOptions,
  dataset: text(
    'a bundled name, humanevalpack, a hub id, or a .parquet, .jsonl or .jsonl.gz file',
  ).optional(),
  lang: z.enum(languages, { error: 'python or js, the languages that run' }).optional(),
  limit: wholeNumber(1, 1_000_000).optional(),
  tasks: text('task ids or globs, separated by commas').optional(),
  shard: shard().optional(),
  iters: wholeNumber(0, 1000).optional(),
  agent: choice(agentNames).default('reflect'),
  feedback: choice(feedbacks).optional(),
  answer: choice(['auto', ...answerFormats]).default('auto'),
  beams: wholeNumber(0, 64).optional(),
  beamPrompt: choice(['first', 'each']).default('each'),
  candidates: wholeNumber(1, 1000).default(1),
  noExamples: flag(),
  searchSeconds: number('seconds, above 0, at most 3600', value => value > 0 && value <= 3600).default(
    DEFAULT_SEARCH_SECONDS,
  ),
  budget: wholeNumber(0, 100_000).default(DEFAULT_BUDGET),
  noRank: flag(),
  fewShot: wholeNumber(0, mostExamples).default(0),
  prompt: choice(['agent', ...protocols]).default('agent'),
  template: choice(promptTemplates).optional(),
  protocolDefaults: flag(),
  temperature: number('a number from 0 to 2', value => value >= 0 && value <= 2).optional(),
  schedule: choice(schedules).optional(),
  temperatureStep: number('a number from 0 to 2', value => value >= 0 && value <= 2).optional(),
  topP: number('a number above 0, at most 1', value => value > 0 && value <= 1).default(0.95),
  topK: wholeNumber(0, 1_000_000).default(0),
  maxNewTokens: wholeNumber(1, 1_000_000).default(512),
  maxLength: wholeNumber(2, 1_000_000).optional(),
  thinking: flag(),
  seed: wholeNumber(0, 2 ** 32 - 1).default(0),
  samples: wholeNumber(1, 10_000).default(1),
  workers: wholeNumber(1, 1000).default(1),
  timeout: number('seconds, above 0, at most 3600', value => value > 0 && value <= 3600).default(10),
  memory: wholeNumber(64, 1_048_576).default(1024),
  sandbox: choice(['process', 'docker']).default('process'),
  isolation: choice(['bubblewrap', 'namespaces', 'ulimit']).optional(),
  requireIsolation: flag(),
  out: text('the path of a .jsonl file').optional(),
  visualize: flag(),
  resume: flag(),
  saveState: text('the path of a folder').optional(),
  retryErrors: flag(),
  failFast: flag(),
  maxErrors: wholeNumber(0, 1_000_000).default(5),
  verbose: flag(),
  quiet: flag(),
  inspect: flag(),
  inspectContent: flag(),
});
export type RunOptions = z.infer<typeof runOptionsSchema> & AgentDefaults & { readonly dataset: string };

/**
 * Checks options and fills in the defaults.
 * @throws HefixError naming the option, the value and the expected form.
 */
export function parseRunOptions(given: Readonly<Record<string, unknown>>): RunOptions {
  const parsed = checkServerOptions(parseOptions(runOptionsSchema, given), given);
  checkLocalModelOptions(parsed.backend, given);
  const options = withProtocol(parsed, given);
  if (options.quiet && options.verbose) throw optionInvalid('--quiet', true, 'no --verbose beside it');
  if (options.inspectContent && !options.inspect) {
    throw optionInvalid('--inspect-content', true, '--inspect beside it');
  }
  if (options.resume && options.out === undefined) {
    throw optionInvalid('--resume', true, '--out with the file to go on with');
  }
  if (options.retryErrors && !options.resume) {
    throw optionInvalid('--retry-errors', true, '--resume beside it');
  }
  if (options.saveState !== undefined && options.backend === 'scripted') {
    // A script's answers are counted from the start of the process.
    throw optionInvalid('--save-state', options.saveState, 'no --backend scripted beside it');
  }
  if (options.agent === 'one-shot' && (options.iters ?? 0) > 0) {
    throw optionInvalid('--iters', given.iters, '0, or none, with --agent one-shot');
  }
  if (options.agent === 'search' && (options.iters ?? 0) > 0) {
    throw optionInvalid(
      '--iters',
      given.iters,
      '0, or none, with --agent search, whose candidates --budget counts',
    );
  }
  if (given.beamPrompt !== undefined && options.beams === 0) {
    throw optionInvalid('--beam-prompt', options.beamPrompt, '--beams above 0, or not given, beside it');
  }
  for (const key of ['budget', 'noRank'] as const) {
    if (options.agent !== 'tools' || given[key] === undefined || given[key] === false) continue;
    throw optionInvalid(longFlag(key), given[key], 'an agent other than tools, whose answers are no edits');
  }
  return completeOptions(options);
}

/** Fills in the defaults that depend on other options. */
export function completeOptions(options: z.infer<typeof runOptionsSchema>): RunOptions {
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

/** The options that decide a record's content; a run may be resumed only with the same. */
export const resultOptions = [
  'lang',
  'iters',
  'agent',
  'feedback',
  'answer',
  'beams',
  'beamPrompt',
  'candidates',
  'noExamples',
  'searchSeconds',
  'budget',
  'noRank',
  'fewShot',
  'prompt',
  'template',
  'temperature',
  'schedule',
  'temperatureStep',
  'topP',
  'topK',
  'maxNewTokens',
  'maxLength',
  'thinking',
  'seed',
  'timeout',
  'memory',
  'device',
  'omit',
] as const satisfies readonly (keyof RunOptions)[];
