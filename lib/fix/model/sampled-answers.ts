import leven from 'leven';
import type { TextModel } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import { taskMessages } from '../../repair/prompt/task-messages.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { FixOptions } from '../options.ts';
import { functionIn } from '../repair/function-task.ts';

export interface SampleInput {
  readonly model: TextModel;
  readonly parser: SyntaxParser;
  readonly options: Pick<FixOptions, 'candidates' | 'temperature' | 'maxNewTokens' | 'seed'>;
  readonly signal: AbortSignal;
}

/** Default temperature of all samples except for the first, which is greedy. */
const SAMPLE_TEMPERATURE = 0.8;

/**
 * Samples versions of a function from a model that writes whole functions, without duplicates and answers
 * that lack the function; those closest to the original come first.
 */
export async function sampledAnswers(
  task: Task,
  { model, parser, options, signal }: SampleInput,
): Promise<string[]> {
  const messages = taskMessages(task, 'whole');
  /** By their function. */
  const found = new Map<string, string>();
  for (let sample = 0; sample < options.candidates; sample++) {
    const temperature = options.temperature ?? (sample === 0 ? 0 : SAMPLE_TEMPERATURE);
    const { text } = await model.generate(
      {
        ...{ messages, temperature, topP: 1, topK: 0, endAfter: 'fence' },
        ...{ maxNewTokens: options.maxNewTokens, seed: options.seed + sample },
      },
      { signal },
    );
    const code = functionIn(parser, task, text);
    if (code !== null && !found.has(code)) found.set(code, text);
    // Without sampling, all answers are the same.
    if (options.temperature === 0) break;
  }
  // Of several that pass, the one that changes least is taken.
  const closeness = ([code]: readonly [string, string]): number => leven(task.buggy, code);
  return [...found].toSorted((a, b) => closeness(a) - closeness(b)).map(([, text]) => text);
}
