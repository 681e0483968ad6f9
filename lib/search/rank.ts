import type { Message, TextModel } from '../ports.ts';
import type { AnswerFormat } from '../prompt/answer-format.ts';
import { fenced } from '../prompt/fence.ts';
import { taskMessages } from '../prompt/task-messages.ts';
import type { Task } from '../task.ts';
import { editedCode } from './candidates.ts';

export interface Ranked {
  /** The likeliest first. */
  readonly edits: readonly string[];
  readonly messages: readonly Message[];
  readonly tokens: { readonly prompt: number; readonly completion: number };
  readonly seconds: number;
}

/**
 * Puts edits in the order in which the model would write them: the edits themselves, or the functions that they give,
 * by the answer that it is asked for. Null if the model cannot tell likelihoods.
 */
export async function rankEdits(
  model: TextModel,
  task: Task,
  edits: readonly string[],
  answer: AnswerFormat,
  signal?: AbortSignal,
): Promise<Ranked | null> {
  if (!model.score) return null;
  const messages = taskMessages(task, answer);
  const answers =
    answer === 'edit' ? edits : edits.map(edit => fenced(task.language, editedCode(task, edit) ?? ''));
  const scores = await model.score({ messages, answers }, signal ? { signal } : {});
  const ranked = edits
    .map((edit, place) => ({
      edit,
      place,
      likelihood: scores.logLikelihoods[place] ?? Number.NEGATIVE_INFINITY,
    }))
    .toSorted((a, b) => b.likelihood - a.likelihood || a.place - b.place);
  return {
    edits: ranked.map(({ edit }) => edit),
    messages,
    tokens: { prompt: scores.promptTokens, completion: scores.completionTokens },
    seconds: scores.seconds,
  };
}
