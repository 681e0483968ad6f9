import type { TextModel } from '../../core/ports.ts';
import type { Language } from '../../core/task.ts';
import type { RunOptions } from '../../options/tables/run-options.ts';
import { beamsOf } from '../../repair/defaults.ts';
import type { ResolvedOptions } from '../../results/manifest.ts';
import { modelWithoutBeams } from '../errors.ts';

type AbilityOptions = Pick<
  RunOptions,
  'agent' | 'noRank' | 'beams' | 'feedback' | 'prompt' | 'candidates' | 'answer' | 'temperature' | 'iters'
> &
  Partial<Pick<RunOptions, 'template'>>;

/**
 * Checks that the model supports what the options ask for.
 * @returns warnings as whole sentences.
 * @throws HefixError (`MODEL_WITHOUT_BEAMS`)
 */
export function checkAbilities(
  options: AbilityOptions,
  model: Pick<TextModel, 'name' | 'beams' | 'score' | 'answer' | 'languages'>,
  language: Language = 'python',
): string[] {
  const { agent, noRank, beams, feedback, prompt, template, candidates } = options;
  if (beams !== undefined && beams > 0 && !model.beams) throw modelWithoutBeams(model.name);
  if (prompt === 'humanevalfixtests' && template === 'api') return [API_WITHOUT_TESTS];
  const isUntrained = model.languages !== undefined && !model.languages.includes(language);
  const taught = [
    ...(model.answer === 'edit' && agent === 'tools'
      ? [
          `${model.name} was trained to answer with edits, not to call tools: most answers will contain no call.`,
        ]
      : []),
    ...(model.answer === 'edit' && agent === 'react'
      ? [`${model.name} was trained to answer with edits, not to write a diagnosis.`]
      : []),
    ...(model.answer === 'edit' && prompt !== 'agent'
      ? [`${model.name} was trained on its own prompts, not on ${prompt}: most answers will contain no code.`]
      : []),
    ...(isUntrained && agent !== 'tools' && prompt === 'agent'
      ? [`${model.name} was not trained on ${language}: candidates are enumerated edits in a fixed order.`]
      : []),
    ...(candidates > 1 && resolvedOptions(options, model, language).beams !== null
      ? [`--candidates has no effect: ${model.name} returns its likeliest answers instead of samples.`]
      : []),
  ];
  if (agent !== 'search') return taught;
  return [
    ...taught,
    ...(noRank || model.score
      ? []
      : [`${model.name} does not report likelihoods; candidates are tried in a fixed order.`]),
    ...(feedback === 'tests' ? ['The search tries its candidates on the hidden tests.'] : []),
  ];
}

const API_WITHOUT_TESTS =
  'The harness’s script for chat APIs shows no tests, also for humanevalfixtests: compare only with results of that script, or use --template chat.';

type Asked = Pick<RunOptions, 'agent' | 'answer' | 'beams' | 'prompt' | 'candidates' | 'feedback'> &
  Pick<RunOptions, 'temperature' | 'iters'> & { readonly budget?: number; readonly withEdits?: boolean };

export function resolvedOptions(
  options: Asked,
  model: Pick<TextModel, 'answer' | 'beams' | 'languages'>,
  language: string,
): ResolvedOptions {
  const { agent, prompt, temperature, iters, feedback, candidates, budget = 0, withEdits = false } = options;
  const protocol = prompt === 'agent' ? undefined : prompt;
  const answer = options.answer === 'auto' ? (model.answer ?? 'whole') : options.answer;
  const asked = { agent, protocol, answer, beams: options.beams, temperature, iterations: iters };
  const beams = agent === 'search' ? 0 : beamsOf(model, asked, language);
  const isSampled = beams === null;
  const joins = withEdits && answer === 'whole';
  const isScreened = feedback !== 'none' && agent !== 'one-shot' && protocol === undefined;
  return {
    answer: agent === 'search' ? 'edit' : answer,
    beams,
    enumerated: isSampled && !joins ? null : budget,
    candidates: isSampled ? (protocol === undefined ? candidates : 1) : null,
    prescreen: isScreened && (!isSampled || joins || candidates > 1),
  };
}

/** Reduces the samples to one if all samples of a task would be the same; `warn` receives a sentence that says so. */
export function withoutSameSamples(
  options: RunOptions,
  model: Pick<TextModel, 'answer' | 'beams' | 'languages'>,
  language: Language,
  warn: (sentence: string) => void,
): RunOptions {
  const { samples, temperature } = options;
  if (samples === 1) return options;
  const { beams } = resolvedOptions(options, model, language);
  if (!haveSameSamples({ beams }, options)) return options;
  const isSampled = beams === null;
  const [same, help] =
    isSampled || temperature === 0 ? atZero : options.agent === 'search' ? bySearch : byBeams;
  warn(`${same}, so 1 is run instead of ${samples}. ${help}`);
  return { ...options, samples: 1 };
}

/** Whether all samples of a task are the same, so that one is run. */
export function haveSameSamples(
  { beams }: Pick<ResolvedOptions, 'beams'>,
  { temperature }: Pick<RunOptions, 'temperature'>,
): boolean {
  return beams !== null || temperature === 0;
}

const atZero = [
  'At --temperature 0 all samples of a task begin with the same answer',
  'Raise the temperature for pass@k.',
] as const;
const bySearch = ['All samples of a search are the same', 'Choose another --agent for pass@k.'] as const;
const byBeams = ['Beams are the same in all samples of a task', 'Use --beams 0 for pass@k.'] as const;
