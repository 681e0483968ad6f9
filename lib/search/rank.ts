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
 * by the answer that it is asked for. Those that it likes best are looked for, as few are ever tried; the others
 * follow as they were. Null if the model cannot tell likelihoods, or the task is too long for it.
 */
export async function rankEdits(
  model: TextModel,
  task: Task,
  edits: readonly string[],
  answer: AnswerFormat,
  signal?: AbortSignal,
): Promise<Ranked | null> {
  const messages = taskMessages(task, answer);
  const answers =
    answer === 'edit' ? edits : edits.map(edit => fenced(task.language, editedCode(task, edit) ?? ''));
  const options = signal ? { signal } : {};
  const scores = await model.score?.({ messages, answers, most: MOST_RANKED }, options).catch(unlessTooLong);
  if (!scores) return null;
  const likelihoods = edits.map((_, place) => scores.logLikelihoods[place] ?? Number.NEGATIVE_INFINITY);
  const ranked = edits
    .map((edit, place) => ({ edit, place, likelihood: likelihoods[place] ?? 0 }))
    // Two that are not ranked are as likely: minus infinity.
    .toSorted((a, b) => (a.likelihood === b.likelihood ? a.place - b.place : b.likelihood - a.likelihood));
  return {
    edits: ranked.map(({ edit }) => edit),
    messages,
    tokens: { prompt: scores.promptTokens, completion: scores.completionTokens },
    seconds: scores.seconds,
  };
}

const MOST_RANKED = 100;

function unlessTooLong(error: unknown): null {
  const { code } = Object(error) as { code?: unknown };
  if (code === 'MODEL_PROMPT_TOO_LONG') return null;
  throw error;
}
