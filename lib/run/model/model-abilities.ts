import type { TextModel } from '../../core/ports.ts';
import type { Language } from '../../core/task.ts';
import type { RunOptions } from '../../options/tables/run-options.ts';
import { modelWithoutBeams } from '../errors.ts';
import { resolvedOptions } from '../resolved-options.ts';

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
