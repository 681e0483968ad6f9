import type { TextModel } from '../../core/ports.ts';
import type { RunOptions } from '../../options/tables/run-options.ts';
import { beamsOf } from '../../repair/defaults.ts';
import type { ResolvedOptions } from '../../report/results/manifest.ts';

type Asked = Pick<RunOptions, 'agent' | 'answer' | 'beams' | 'prompt' | 'candidates' | 'feedback'> &
  Pick<RunOptions, 'iters'> & { readonly budget?: number; readonly withEdits?: boolean };

/** The values of options that are `auto` or depend on the model. */
export function resolvedOptions(
  options: Asked,
  model: Pick<TextModel, 'answer' | 'beams' | 'languages'>,
  language: string,
): ResolvedOptions {
  const { agent, prompt, iters, feedback, candidates, budget = 0, withEdits = false } = options;
  const protocol = prompt === 'agent' ? undefined : prompt;
  const answer = options.answer === 'auto' ? (model.answer ?? 'whole') : options.answer;
  const asked = { agent, protocol, answer, beams: options.beams, iterations: iters };
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
