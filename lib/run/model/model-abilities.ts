import type { TextModel } from '../../core/ports.ts';
import type { Language } from '../../core/task.ts';
import type { RunOptions } from '../../options/tables/run-options.ts';
import type { ResolvedOptions } from '../../report/results/manifest.ts';
import { modelWithoutBeams } from '../errors.ts';
import { idleSettings } from './idle-settings.ts';
import { resolvedOptions } from './resolve-options.ts';

/**
 * Checks that the model supports what the options ask for.
 * @returns warnings as whole sentences.
 * @throws HefixError (`MODEL_WITHOUT_BEAMS`)
 */
export function checkAbilities(
  options: RunOptions,
  model: Pick<TextModel, 'name' | 'beams' | 'score' | 'answer' | 'languages'>,
  language: Language = 'python',
): string[] {
  const { agent, noRank, beams, feedback, prompt, template } = options;
  if (beams !== undefined && beams > 0 && !model.beams) throw modelWithoutBeams(model.name);
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
      ? [`${model.name} is not asked for ${language}: candidates are enumerated edits in a fixed order.`]
      : []),
    ...(prompt === 'humanevalfixtests' && template === 'api' ? [API_WITHOUT_TESTS] : []),
    ...idleWarning(idleSettings(options, model, language), model.name),
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

function idleWarning(names: readonly string[], model: string): string[] {
  if (names.length === 0) return [];
  const verb = names.length === 1 ? 'has' : 'have';
  return [`${names.join(', ')} ${verb} no effect with ${model} and the other options of this run.`];
}

const API_WITHOUT_TESTS =
  'For chat APIs, the published script shows no tests even with humanevalfixtests. Compare only with results of that script, or use --template chat.';

/** Reduces the samples to one if all samples of a task would be the same; `warn` receives a sentence that says so. */
export function withoutSameSamples(
  options: RunOptions,
  model: Pick<TextModel, 'answer' | 'beams' | 'score' | 'languages'>,
  language: Language,
  warn: (sentence: string) => void,
): RunOptions {
  const { samples, temperature } = options;
  if (samples === 1) return options;
  const isSearchUnranked = options.agent === 'search' && !model.score;
  if (!isSearchUnranked && !haveSameSamples(resolvedOptions(options, model, language), options))
    return options;
  const [same, help] = temperature === 0 ? atZero : unranked;
  warn(`${same}, so 1 is run instead of ${samples}. ${help}`);
  return { ...options, samples: 1 };
}

/** Whether all samples of a task are the same, or begin with the same candidate, so that one is run. */
export function haveSameSamples(
  { beams }: Pick<ResolvedOptions, 'beams'>,
  { temperature, noRank, agent }: Pick<RunOptions, 'temperature' | 'noRank' | 'agent'>,
): boolean {
  const isFixed = beams !== null && (noRank || (beams === 0 && agent !== 'search'));
  return temperature === 0 || isFixed;
}

const atZero = [
  'At --temperature 0 all samples of a task begin with the same answer',
  'Raise the temperature for pass@k.',
] as const;
const unranked = [
  'Candidates are tried in a fixed order, which is the same in all samples of a task',
  'For pass@k, let a model with likelihoods rank them, or sample its answers with --beams 0.',
] as const;
