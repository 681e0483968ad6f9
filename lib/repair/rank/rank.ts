import type { AnswerFormat } from '../../core/choices.ts';
import { sumOf } from '../../core/numbers.ts';
import type { Message, ScoreRequest, TextModel } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import { fenced } from '../../prompt/fence.ts';
import { promptWithCode, taskMessages } from '../../prompt/task-messages.ts';
import { editedCode } from '../enumerate/edited-code.ts';

export interface Ranked {
  /** Likeliest first. */
  readonly edits: readonly string[];
  readonly messages: readonly Message[];
  readonly tokens: { readonly prompt: number; readonly completion: number };
  readonly seconds: number;
}

export interface RankOptions {
  /** The prompt that the edits answer; defaults to the task's first prompt. */
  readonly messages?: readonly Message[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Ranks edits by the model's likelihood; beyond its favourites the rest keep their order, since few are ever
 * tried. Null if the model provides no likelihoods, or the task is too long for it.
 * A model that writes functions is asked for the likelihoods of the edited functions. A model that writes
 * edits is asked twice: for the likelihood of the edit as an answer, and for that of the edited function
 * within the prompt. Their errors are different, so that the product is better than either.
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
  const scores = await ask({ messages, answers, limit: MAX_RANKED });
  if (!scores) return null;
  const byAnswer = ordered(edits, scores.logLikelihoods);
  const best = answer === 'edit' ? byAnswer.slice(0, MAX_WEIGHED) : [];
  const weighed = best.length === 0 ? null : await ask(codesInPrompt(task, best));
  const parts = weighed ? [scores, weighed] : [scores];
  const first = best.map(
    ({ likelihood }, index) => likelihood + CODE_WEIGHT * (weighed?.logLikelihoods[index] ?? 0),
  );
  const ranked = [...ordered(best.map(textOf), first), ...byAnswer.slice(best.length)];
  return {
    edits: ranked.map(textOf),
    messages,
    tokens: {
      prompt: sumOf(parts, ({ promptTokens }) => promptTokens),
      completion: sumOf(parts, ({ completionTokens }) => completionTokens),
    },
    seconds: sumOf(parts, ({ seconds }) => seconds),
  };
}

/** Number of edits to look for by likelihood, and of those whose functions are scored as well. */
const MAX_RANKED = 100;
const MAX_WEIGHED = 25;
const CODE_WEIGHT = 0.7;

interface Likely {
  readonly edit: string;
  readonly likelihood: number;
}

/** Likeliest first; ties, including minus infinity, keep their order. */
function ordered(edits: readonly string[], likelihoods: readonly number[]): Likely[] {
  return edits
    .map((edit, index) => ({ edit, likelihood: likelihoods[index] ?? Number.NEGATIVE_INFINITY }))
    .toSorted((a, b) => (a.likelihood === b.likelihood ? 0 : b.likelihood - a.likelihood));
}

/** The task's prompt up to its code, which the edited programs continue. */
function codesInPrompt(task: Task, edits: readonly Likely[]): ScoreRequest {
  const [system, user] = taskMessages(task, 'edit');
  const { before } = promptWithCode(task, task.buggy);
  const answers = edits.map(({ edit }) => promptWithCode(task, editedCode(task, edit) ?? '').code);
  return { messages: [system, { ...user, content: before }], answers, continues: true };
}

function textOf({ edit }: Likely): string {
  return edit;
}

/** Null for a prompt that is too long for the model; rethrows any other error. */
export function unlessTooLong(error: unknown): null {
  const { code } = Object(error) as { code?: unknown };
  if (code === 'MODEL_PROMPT_TOO_LONG') return null;
  throw error;
}
