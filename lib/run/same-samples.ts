import type { TextModel } from '../core/ports.ts';
import type { Language } from '../core/task.ts';
import type { RunOptions } from '../options/tables/run-options.ts';
import { resolvedOptions } from './resolved-options.ts';

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
