import type { GenerateInput } from '../../machines/actors.ts';
import { HefixError, isTooLong } from '../core/errors.ts';
import type { Completion, GenerateOptions, GenerateRequest, Message, TextModel } from '../core/ports.ts';
import type { Style } from './style.ts';

export interface Answer {
  /** What was asked, and what the answer was begun with. */
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
  let { attempts } = input;
  for (;;) {
    const request = style.request({ ...input, attempts });
    const { messages, prefill = '' } = request;
    try {
      const completion = await model.generate({ ...sampling, ...request }, options);
      const begun = prefill === '' ? [] : [{ role: 'assistant', content: prefill } as const];
      return { prompt: [...messages, ...begun], completion };
    } catch (error) {
      const fewer = attempts.slice(1);
      const isShorter = style.request({ ...input, attempts: fewer }).messages.length < messages.length;
      if (!(error instanceof HefixError && isTooLong(error.code)) || fewer.length === 0 || !isShorter)
        throw error;
      attempts = fewer;
    }
  }
}
