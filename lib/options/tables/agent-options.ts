import type { Schedule } from '../../../machines/temperature.ts';
import {
  type AgentName,
  agentNames,
  answerFormats,
  type Feedback,
  feedbacks,
  MAX_EXAMPLES,
  promptTemplates,
  protocols,
} from '../../core/choices.ts';
import { DEFAULT_BUDGET, DEFAULT_SEARCH_SECONDS } from '../../repair/defaults.ts';
import { type OptionTable, withEach } from '../option.ts';
import { choice, flag, number, wholeNumber } from '../option-checks.ts';

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
