import { z } from 'zod';
import { beamsOf } from '../agent/beams-of.ts';
import { answerFormats } from '../core/agent-options.ts';
import type { TextModel } from '../core/ports.ts';
import type { RunOptions } from '../options/run-options.ts';

/** The values of options that are `auto` or depend on the model. */
export const resolvedSchema = z.object({
  answer: z.enum(answerFormats),
  /** Number of likeliest answers requested per attempt; null if the model is sampled. */
  beams: z.number().int().nullable(),
  /** Maximum number of enumerated edits that join them; null if there are none. */
  enumerated: z.number().int().nullable(),
  /** Samples per prompt; null if nothing is sampled. */
  candidates: z.number().int().nullable(),
  /** Whether candidates are tried on examples and revealed assertions before the tests. */
  prescreen: z.boolean(),
});
export type ResolvedOptions = z.infer<typeof resolvedSchema>;

type Asked = Pick<RunOptions, 'agent' | 'answer' | 'beams' | 'prompt' | 'candidates' | 'feedback'> &
  Pick<RunOptions, 'temperature' | 'iters'> & { readonly budget?: number };

export function resolvedOptions(
  options: Asked,
  model: Pick<TextModel, 'answer' | 'beams' | 'languages'>,
  language: string,
): ResolvedOptions {
  const { agent, prompt, temperature, iters, feedback, candidates, budget = 0 } = options;
  const protocol = prompt === 'agent' ? undefined : prompt;
  const answer = options.answer === 'auto' ? (model.answer ?? 'whole') : options.answer;
  const asked = { agent, protocol, answer, beams: options.beams, temperature, iterations: iters };
  const beams = agent === 'search' ? 0 : beamsOf(model, asked, language);
  const isSampled = beams === null;
  const isScreened = feedback !== 'none' && agent !== 'one-shot' && protocol === undefined;
  return {
    answer: agent === 'search' ? 'edit' : answer,
    beams,
    enumerated: isSampled ? null : budget,
    candidates: isSampled ? (protocol === undefined ? candidates : 1) : null,
    prescreen: isScreened && (!isSampled || candidates > 1),
  };
}
