import type { Message, ScoreRequest, TextModel } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import type { AnswerFormat } from '../prompt/answer-format.ts';
import { fenced } from '../prompt/fence.ts';
import { promptWithCode, taskMessages } from '../prompt/task-messages.ts';
import { editedCode } from './candidates.ts';

export interface Ranked {
  /** The likeliest first. */
  readonly edits: readonly string[];
  readonly messages: readonly Message[];
  readonly tokens: { readonly prompt: number; readonly completion: number };
  readonly seconds: number;
}

export interface RankOptions {
  /** What the edits answer; the task's first prompt unless given. */
  readonly messages?: readonly Message[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Puts edits in the order in which the model would write them; the others than those that it likes best follow as they
 * were, as few are ever tried. Null if the model cannot tell likelihoods, or the task is too long for it.
 *
 * A model that writes functions is asked for the likelihoods of the functions that the edits give. One that writes edits
 * is asked twice: how likely it would write the edit, and how likely the function that it gives would stand in the
 * prompt, beside what it should do. The two err in different places, so that their product is better than either.
 */
export async function rankEdits(
  model: TextModel,
  task: Task,
  edits: readonly string[],
  answer: AnswerFormat,
  { messages = taskMessages(task, answer), signal }: RankOptions = {},
): Promise<Ranked | null> {
  const answers =
    answer === 'edit' ? edits : edits.map(edit => fenced(task.language, editedCode(task, edit) ?? ''));
  const ask = async (request: ScoreRequest) =>
    (await model.score?.(request, signal ? { signal } : {}).catch(unlessTooLong)) ?? null;
  const scores = await ask({ messages, answers, most: MOST_RANKED });
  if (!scores) return null;
  const byAnswer = ordered(edits, scores.logLikelihoods);
  const best = answer === 'edit' ? byAnswer.slice(0, MOST_WEIGHED) : [];
  const weighed = best.length === 0 ? null : await ask(codesInPrompt(task, best));
  const parts = weighed ? [scores, weighed] : [scores];
  const first = best.map(
    ({ likelihood }, place) => likelihood + CODE_WEIGHT * (weighed?.logLikelihoods[place] ?? 0),
  );
  const ranked = [...ordered(best.map(textOf), first), ...byAnswer.slice(best.length)];
  return {
    edits: ranked.map(textOf),
    messages,
    tokens: {
      prompt: sum(parts.map(({ promptTokens }) => promptTokens)),
      completion: sum(parts.map(({ completionTokens }) => completionTokens)),
    },
    seconds: sum(parts.map(({ seconds }) => seconds)),
  };
}

/** Edits that are looked for by their likelihood, and those of them whose functions are. */
const MOST_RANKED = 100;
const MOST_WEIGHED = 25;
const CODE_WEIGHT = 0.7;

interface Likely {
  readonly edit: string;
  readonly likelihood: number;
}

/** The likeliest first; those that are as likely, minus infinity most of all, stay in their order. */
function ordered(edits: readonly string[], likelihoods: readonly number[]): Likely[] {
  return edits
    .map((edit, place) => ({ edit, likelihood: likelihoods[place] ?? Number.NEGATIVE_INFINITY }))
    .toSorted((a, b) => (a.likelihood === b.likelihood ? 0 : b.likelihood - a.likelihood));
}

/** The task's prompt up to its code, which the edited codes go on with. */
function codesInPrompt(task: Task, edits: readonly Likely[]): ScoreRequest {
  const [system, user] = taskMessages(task, 'edit');
  const { before } = promptWithCode(task, task.buggy);
  const answers = edits.map(({ edit }) => promptWithCode(task, editedCode(task, edit) ?? '').code);
  return { messages: [system, { ...user, content: before }], answers, continues: true };
}

function textOf({ edit }: Likely): string {
  return edit;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Null for a prompt that is too long for the model; rethrows any other error. */
export function unlessTooLong(error: unknown): null {
  const { code } = Object(error) as { code?: unknown };
  if (code === 'MODEL_PROMPT_TOO_LONG') return null;
  throw error;
}
