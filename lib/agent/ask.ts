import type { GenerateInput } from '../../machines/actors.ts';
import type { Completion, GenerateOptions, GenerateRequest, Message, TextModel } from '../ports.ts';
import type { Style } from './style.ts';

export interface Answer {
  /** What was asked. */
  readonly prompt: readonly Message[];
  readonly completion: Completion;
}

/**
 * Asks a model. A conversation that does not fit into its context is asked again without the oldest
 * attempt, and so on as far as that makes it shorter; then the model's error stands.
 */
export async function ask(
  model: TextModel,
  style: Style,
  input: GenerateInput,
  sampling: Omit<GenerateRequest, 'messages'>,
  options: GenerateOptions,
): Promise<Answer> {
  const { tools } = style;
  let { attempts } = input;
  for (;;) {
    const prompt = style.messages({ ...input, attempts });
    const request = { messages: prompt, ...sampling, ...(tools ? { tools } : {}) };
    try {
      return { prompt, completion: await model.generate(request, options) };
    } catch (error) {
      const fewer = attempts.slice(1);
      const isShorter = style.messages({ ...input, attempts: fewer }).length < prompt.length;
      if (!isTooLong(error) || fewer.length === 0 || !isShorter) throw error;
      attempts = fewer;
    }
  }
}

function isTooLong(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown };
  return code === 'MODEL_PROMPT_TOO_LONG' || code === 'BACKEND_CONTEXT_TOO_LONG';
}
