import type { ProposeInput } from '../../../machines/actors.ts';
import { HefixError } from '../../core/errors.ts';
import type { Completion, GenerateOptions, GenerateRequest, Message, TextModel } from '../../core/ports.ts';
import { isTooLong } from '../errors.ts';
import type { Style } from './style.ts';

type PromptInput = Pick<ProposeInput, 'task' | 'node' | 'attempts'>;

export interface Answer {
  /** The prompt and the prefill. */
  readonly prompt: readonly Message[];
  readonly completion: Completion;
}

/**
 * Asks a model. If a conversation does not fit its context, the oldest attempts are dropped one by one as
 * long as that shortens it; after that the model's error is thrown.
 */
export async function ask(
  model: TextModel,
  style: Style,
  input: PromptInput,
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
