import type { TextModel } from '../core/ports.ts';
import type { Language } from '../core/task.ts';
import type { RunOptions } from '../options/tables/run-options.ts';
import { beamsOf } from '../repair/defaults.ts';
import type { ResolvedOptions } from '../results/manifest.ts';

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
  const isSampled = resolvedOptions(options, model, language).beams === null;
  if (isSampled && temperature > 0) return options;
  const [same, help] =
    isSampled || temperature === 0 ? atZero : options.agent === 'search' ? bySearch : byBeams;
  warn(`${same}, so 1 is run instead of ${samples}. ${help}`);
  return { ...options, samples: 1 };
}

const atZero = [
  'At --temperature 0 all samples of a task begin with the same answer',
  'Raise the temperature for pass@k.',
] as const;
const bySearch = ['All samples of a search are the same', 'Choose another --agent for pass@k.'] as const;
const byBeams = ['Beams are the same in all samples of a task', 'Use --beams 0 for pass@k.'] as const;
