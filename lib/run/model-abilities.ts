import { modelWithoutBeams } from '../core/errors.ts';
import type { TextModel } from '../core/ports.ts';
import type { RunOptions } from '../options/run-options.ts';

/**
 * Whether the model can do what the options ask for.
 * @returns what people should know, in whole sentences.
 * @throws HefixError (`MODEL_WITHOUT_BEAMS`)
 */
export function checkAbilities(
  {
    agent,
    noRank,
    beams,
    feedback,
    prompt,
    template,
  }: Pick<RunOptions, 'agent' | 'noRank' | 'beams' | 'feedback'> &
    Partial<Pick<RunOptions, 'prompt' | 'template'>>,
  model: Pick<TextModel, 'name' | 'beams' | 'score'>,
): string[] {
  if (beams !== undefined && beams > 0 && !model.beams) throw modelWithoutBeams(model.name);
  if (prompt === 'humanevalfixtests' && template === 'api') return [API_WITHOUT_TESTS];
  if (agent !== 'search') return [];
  return [
    ...(noRank || model.score
      ? []
      : [`${model.name} cannot tell how likely an answer is; candidates are tried in their fixed order.`]),
    ...(feedback === 'tests' ? ['The search tries its candidates on the tests that decide.'] : []),
  ];
}

const API_WITHOUT_TESTS =
  'The harness’s script for chat APIs shows no tests, also for humanevalfixtests: compare only with results of that script, or use --template chat.';
