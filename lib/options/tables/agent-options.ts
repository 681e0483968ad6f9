import { agentNames, answerFormats, feedbacks, protocols } from '../../core/choices.ts';
import { promptTemplates } from '../../prompt/published/published.ts';
import { maxExamples } from '../../prompt/worked-examples/worked-examples.ts';
import { DEFAULT_BUDGET, DEFAULT_SEARCH_SECONDS } from '../../repair/defaults.ts';
import { defaultText } from '../agent-defaults.ts';
import type { OptionTable } from '../option.ts';
import { choice, flag, number, wholeNumber } from '../option-checks.ts';

/** The options of a run that choose the agent and what it sees. */
export const agentOptions = {
  iters: {
    schema: wholeNumber(0, 1000).optional(),
    argument: '<n>',
    short: 'i',
    group: 'Agent',
    about: 'repair iterations after the draft',
    defaultText: defaultText('iters'),
    isCommon: true,
    decidesResults: true,
    folderMaySet: true,
  },
  agent: {
    schema: choice(agentNames).default('reflect'),
    argument: '<name>',
    group: 'Agent',
    about: 'reflect, react, tools (function calling), search (enumerated edits) or one-shot',
    isCommon: true,
    decidesResults: true,
    folderMaySet: true,
  },
  feedback: {
    schema: choice(feedbacks).optional(),
    argument: '<kind>',
    group: 'Agent',
    about: 'what the agent sees between attempts: tests, examples or none',
    defaultText: defaultText('feedback'),
    decidesResults: true,
    folderMaySet: true,
  },
  answer: {
    schema: choice(['auto', ...answerFormats]).default('auto'),
    argument: '<format>',
    group: 'Agent',
    about: 'whole (function), edit (of lines), or auto: as the model was trained',
    decidesResults: true,
    folderMaySet: true,
  },
  candidates: {
    schema: wholeNumber(1, 1000).default(1),
    argument: '<k>',
    group: 'Agent',
    about: 'samples of each prompt; the examples and reported assertions choose one',
    decidesResults: true,
    folderMaySet: true,
  },
  noExamples: {
    schema: flag(),
    group: 'Agent',
    about: "do not try candidates on the docstring's examples before the tests",
    decidesResults: true,
    folderMaySet: true,
  },
  searchSeconds: {
    schema: number('seconds, above 0, at most 3600', value => value > 0 && value <= 3600).default(
      DEFAULT_SEARCH_SECONDS,
    ),
    argument: '<seconds>',
    group: 'Agent',
    about: "limit on the processor time of a task's search and prescreen",
    decidesResults: true,
    folderMaySet: true,
  },
  budget: {
    schema: wholeNumber(0, 100_000).default(DEFAULT_BUDGET),
    argument: '<n>',
    group: 'Agent',
    about: 'limit on the enumerated edits among the candidates; 0 for none',
    decidesResults: true,
    folderMaySet: true,
  },
  withEdits: {
    schema: flag(),
    group: 'Agent',
    about: 'let enumerated edits compete with the whole functions that a model writes',
    decidesResults: true,
    folderMaySet: true,
  },
  noRank: {
    schema: flag(),
    group: 'Agent',
    about: "try candidates in a fixed order instead of by the model's likelihoods",
    decidesResults: true,
    folderMaySet: true,
  },
  fewShot: {
    schema: wholeNumber(0, maxExamples).default(0),
    argument: '<n>',
    group: 'Agent',
    about: 'worked examples at the beginning of each prompt',
    decidesResults: true,
    folderMaySet: true,
  },
  prompt: {
    schema: choice(['agent', ...protocols]).default('agent'),
    argument: '<name>',
    group: 'Agent',
    about: `agent, or a published protocol: ${protocols.join(', ')}`,
    decidesResults: true,
    folderMaySet: true,
  },
  template: {
    schema: choice(promptTemplates).optional(),
    argument: '<name>',
    group: 'Agent',
    about: 'prompt format of a published protocol: chat, api, or a format of the harness, such as octocoder',
    decidesResults: true,
    folderMaySet: true,
  },
  protocolDefaults: {
    schema: flag(),
    group: 'Agent',
    about: 'sample as published: temperature 0.2, top-p 0.95, 20 samples, 2048 tokens',
    folderMaySet: true,
  },
  workers: {
    schema: wholeNumber(1, 1000).default(1),
    argument: '<n>',
    group: 'Agent',
    about: 'tasks in flight at once; WORKERS sets the default',
    isCommon: true,
    folderMaySet: true,
  },
} as const satisfies OptionTable;
