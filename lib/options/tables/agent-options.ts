import { type Schedule, schedules } from '../../../machines/context.ts';
import {
  type AgentName,
  agentNames,
  answerFormats,
  type Feedback,
  feedbacks,
  MAX_EXAMPLES,
  type PromptTemplate,
  type Protocol,
  promptTemplates,
  protocols,
} from '../../core/choices.ts';
import { DEFAULT_BUDGET, DEFAULT_SEARCH_SECONDS } from '../../repair/agents.ts';
import {
  choice,
  flag,
  type Given,
  number,
  type OptionTable,
  optionConflict,
  optionInvalid,
  optionNeeds,
  wholeNumber,
  withEach,
} from '../option.ts';

/** Options whose defaults differ between agents. */
export interface AgentDefaults {
  readonly iters: number;
  readonly temperature: number;
  readonly schedule: Schedule;
  readonly temperatureStep: number;
  readonly feedback: Feedback;
}

const greedyFirst = { temperature: 0, schedule: 'ramp', temperatureStep: 0.2, feedback: 'tests' } as const;

export const agentDefaults: Readonly<Record<AgentName, AgentDefaults>> = {
  reflect: { iters: 3, ...greedyFirst },
  react: { iters: 3, ...greedyFirst },
  // 0.7, then 0.5, and 0.3 after three failures: a conversation starts wide and narrows down.
  tools: { iters: 9, temperature: 0.7, schedule: 'anneal', temperatureStep: 0.2, feedback: 'tests' },
  // It proposes once, after trying its candidates on the docstring's examples.
  search: { iters: 0, ...greedyFirst, feedback: 'examples' },
  'one-shot': { iters: 0, ...greedyFirst },
};

/** `ramp; anneal with tools`: the default as shown by `--help`. */
export function defaultText(key: keyof AgentDefaults): string {
  const { reflect, ...others } = agentDefaults;
  const different = Object.entries(others).filter(([, defaults]) => defaults[key] !== reflect[key]);
  return [
    String(reflect[key]),
    ...different.map(([agent, defaults]) => `${defaults[key]} with ${agent}`),
  ].join('; ');
}

/** The options of a run that choose the agent and what it sees. */
export const agentOptions = {
  ...withEach(
    { group: 'Agent', decidesResults: true, folderMaySet: true },
    {
      iters: {
        schema: wholeNumber(0, 1000).optional(),
        argument: '<n>',
        short: 'i',
        about: 'repair iterations after the draft',
        defaultText: defaultText('iters'),
        isCommon: true,
      },
      agent: {
        schema: choice(agentNames).default('reflect'),
        argument: '<name>',
        about: 'reflect, react, tools (function calling), search (enumerated edits) or one-shot',
        isCommon: true,
      },
      feedback: {
        schema: choice(feedbacks).optional(),
        argument: '<kind>',
        about: 'what the agent sees between attempts: tests, examples or none',
        defaultText: defaultText('feedback'),
      },
      answer: {
        schema: choice(['auto', ...answerFormats]).default('auto'),
        argument: '<format>',
        about: 'whole (function), edit (of lines), or auto: as the model was trained',
      },
      candidates: {
        schema: wholeNumber(1, 1000).default(1),
        argument: '<k>',
        about: 'samples of each prompt; the examples and reported assertions choose one',
      },
      noExamples: {
        schema: flag(),
        about: "do not try candidates on the docstring's examples before the tests",
      },
      searchSeconds: {
        schema: number('seconds, above 0, at most 3600', value => value > 0 && value <= 3600).default(
          DEFAULT_SEARCH_SECONDS,
        ),
        argument: '<seconds>',
        about: "limit on the processor time of a task's search and prescreen",
      },
      budget: {
        schema: wholeNumber(0, 100_000).default(DEFAULT_BUDGET),
        argument: '<n>',
        about: 'limit on the enumerated edits among the candidates; 0 for none',
      },
      withEdits: {
        schema: flag(),
        about: 'let enumerated edits compete with the whole functions that a model writes',
      },
      noRank: {
        schema: flag(),
        about: "try candidates in a fixed order instead of by the model's likelihoods",
      },
      fewShot: {
        schema: wholeNumber(0, MAX_EXAMPLES).default(0),
        argument: '<n>',
        about: 'worked examples at the beginning of each prompt',
      },
      prompt: {
        schema: choice(['agent', ...protocols]).default('agent'),
        argument: '<name>',
        about: `agent, or a published protocol: ${protocols.join(', ')}`,
      },
      template: {
        schema: choice(promptTemplates).optional(),
        argument: '<name>',
        about:
          'prompt format of a published protocol: chat, api, or a format of the harness, such as octocoder',
      },
    },
  ),
  ...withEach(
    { group: 'Agent', folderMaySet: true },
    {
      protocolDefaults: {
        schema: flag(),
        about: 'sample as published: temperature 0.2, top-p 0.95, 20 samples, 2048 tokens',
      },
      workers: {
        schema: wholeNumber(1, 1000).default(1),
        argument: '<n>',
        about: 'tasks in flight at once; WORKERS sets the default',
        isCommon: true,
      },
    },
  ),
} as const satisfies OptionTable;

const temperature = () => number('a number from 0 to 2', value => value >= 0 && value <= 2).optional();

/** The options of a run that say how completions are sampled. */
export const samplingOptions = {
  ...withEach(
    { group: 'Sampling', decidesResults: true, folderMaySet: true },
    {
      beams: {
        schema: wholeNumber(0, 64).optional(),
        argument: '<n>',
        about: 'candidates by beam search; 0 samples instead',
        defaultText: 'depends on the model',
      },
      beamPrompt: {
        schema: choice(['first', 'each']).default('each'),
        argument: '<name>',
        about: 'each: ask again with every failure; first: try the beams of the draft in turn',
      },
      temperature: {
        schema: temperature(),
        argument: '<t>',
        about: 'temperature of the first candidate; 0 takes the likeliest',
        defaultText: defaultText('temperature'),
      },
      schedule: {
        schema: choice(schedules).optional(),
        argument: '<name>',
        about: 'ramp (rises with each iteration, to at most 1), anneal (falls) or constant',
        defaultText: defaultText('schedule'),
      },
      temperatureStep: {
        schema: temperature(),
        argument: '<t>',
        about: 'change of the temperature from one iteration to the next',
        defaultText: defaultText('temperatureStep'),
      },
      topP: {
        schema: number('a number above 0, at most 1', value => value > 0 && value <= 1).default(0.95),
        argument: '<p>',
        about: 'probability mass of tokens kept where text is sampled; 1 keeps all',
      },
      topK: {
        schema: wholeNumber(0, 1_000_000).default(0),
        argument: '<k>',
        about: 'tokens kept where text is sampled; 0 keeps all',
      },
      maxNewTokens: {
        schema: wholeNumber(1, 1_000_000).default(512),
        argument: '<n>',
        about: 'limit on the tokens of one completion',
      },
      maxLength: {
        schema: wholeNumber(2, 1_000_000).optional(),
        argument: '<n>',
        about: 'limit on the tokens of a prompt and its completion together',
      },
      thinking: { schema: flag(), about: 'let models that can, such as Qwen3, think before they answer' },
      seed: {
        schema: wholeNumber(0, 2 ** 32 - 1).default(0),
        argument: '<n>',
        about: 'the same options and seed give the same records',
      },
    },
  ),
  samples: {
    schema: wholeNumber(1, 10_000).default(1),
    argument: '<n>',
    short: 'n',
    group: 'Sampling',
    about: 'independent runs of each task, for pass@k',
    isCommon: true,
    folderMaySet: true,
  },
} as const satisfies OptionTable;

interface ProtocolOptions {
  readonly prompt: 'agent' | Protocol;
  readonly template?: PromptTemplate | undefined;
  readonly protocolDefaults: boolean;
  readonly agent: string;
  readonly backend: string;
  readonly fewShot: number;
  readonly temperature?: number | undefined;
  readonly topP: number;
  readonly samples: number;
  readonly maxNewTokens: number;
  readonly maxLength?: number | undefined;
}

/**
 * A published protocol asks once, so its agent is `one-shot`; `--protocol-defaults` uses the published
 * sampling settings for options that were not given. `input` are the options without defaults.
 * @throws HefixError (`OPTION_INVALID`)
 */
export function withProtocol<Options extends ProtocolOptions>(options: Options, input: Given): Options {
  const { prompt, template, agent, backend, fewShot, protocolDefaults } = options;
  if (prompt === 'agent') {
    if (protocolDefaults) throw optionNeeds('--protocol-defaults', 'a published --prompt');
    if (template !== undefined) {
      throw optionNeeds('--template', 'a published --prompt');
    }
    return options;
  }
  if (input.agent !== undefined && agent !== 'one-shot') {
    throw optionConflict(`--agent ${agent}`, `--prompt ${prompt}`);
  }
  if (fewShot > 0) throw optionConflict('--few-shot', `--prompt ${prompt}`);
  if (backend === 'openai' && template !== undefined && template !== 'chat' && template !== 'api') {
    throw optionInvalid(
      '--template',
      template,
      'api or chat with --backend openai, which takes only messages',
    );
  }
  const defaultTemplate = backend === 'openai' ? 'api' : 'chat';
  const asked = { ...options, agent: 'one-shot', template: template ?? defaultTemplate };
  if (!protocolDefaults) return asked;
  return {
    ...asked,
    temperature: input.temperature === undefined ? PUBLISHED.temperature : options.temperature,
    topP: input.topP === undefined ? PUBLISHED.topP : options.topP,
    samples: input.samples === undefined ? PUBLISHED.samples : options.samples,
    maxLength: options.maxLength ?? (backend === 'openai' ? undefined : PUBLISHED.length),
    maxNewTokens: input.maxNewTokens === undefined ? PUBLISHED.length : options.maxNewTokens,
  };
}

/**
 * OctoPack (arXiv:2308.07124): pass@1 is estimated from 20 samples per task. A prompt and its answer have
 * 2,048 tokens together; for chat APIs, which were given no limit, only the answer has.
 */
const PUBLISHED = { temperature: 0.2, topP: 0.95, samples: 20, length: 2048 } as const;
