import type { Attempt } from '../../core/attempt.ts';
import type { AnswerFormat } from '../../core/choices.ts';
import type { Message } from '../../core/ports.ts';
import { shortened } from '../../core/printable.ts';
import type { Task } from '../../core/task.ts';
import { withoutThinking } from '../../syntax/code-blocks.ts';
import { editText, readEdits } from '../../syntax/edits/edit-answer.ts';
import type { PromptOptions } from './feedback.ts';
import { fenced } from './fence.ts';
import { taskMessages } from './task-messages.ts';

/** What the prompts of the repair nodes say about the previous attempt. */
export type LastAttempt = Pick<Attempt, 'candidate' | 'completion' | 'verdict'> &
  Partial<Pick<Attempt, 'repeated' | 'counts'>> & {
    /** Number of attempts after it, if an earlier one is to be improved since it passes more assertions. */
    readonly later?: number | undefined;
    readonly diagnosis?: Pick<Required<Attempt>['diagnosis'] & {}, 'completion'> | undefined;
  };

/**
 * The task, the last answer as the model's own turn, and a remark on it. Earlier answers are left out: they
 * would double a small model's prompt, and models tend to copy what they see twice. Only the candidate or the
 * edits of the last answer are quoted, in the form that the system prompt asks for, since quoting prose leads
 * to more prose; of an answer without code, only the beginning.
 */
export function aboutLastAnswer(
  task: Task,
  last: LastAttempt,
  remark: string,
  { answer = 'whole' }: PromptOptions,
): readonly Message[] {
  return [
    ...taskMessages(task, answer),
    { role: 'assistant', content: quoted(task, last, answer) },
    { role: 'user', content: remark },
  ];
}

/** Asks for another answer. Edits always refer to the code as first shown, which keeps line numbers valid. */
export function askAgain(task: Task, { answer = 'whole' }: PromptOptions): string {
  return answer === 'edit'
    ? `Fix \`${task.entryPoint}\` with an edit of the code above.`
    : `Fix \`${task.entryPoint}\` and answer with the whole function.`;
}

function quoted(task: Task, { candidate, completion }: LastAttempt, answer: AnswerFormat): string {
  const edits = answer === 'edit' ? readEdits(completion) : [];
  if (edits.length > 0) return editText(edits);
  if (candidate !== null) return fenced(task.language, candidate);
  return quotedText(completion, 300);
}

/** The beginning of an answer without code. */
export function quotedText(completion: string, length: number): string {
  const said = withoutThinking(completion).trim();
  return said === '' ? '(no answer)' : shortened(said, length);
}
