import { schedules } from '../../../machines/temperature.ts';
import { type OptionTable, withEach } from '../option.ts';
import { choice, flag, number, wholeNumber } from '../option-checks.ts';
import { defaultText } from './agent-options.ts';

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
