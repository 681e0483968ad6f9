import type { Attempt } from '../core/attempt.ts';
import type { Message } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import { editText, readEdits } from '../edits/edit-answer.ts';
import type { AnswerFormat } from './answer-format.ts';
import { withoutThinking } from './code-blocks.ts';
import type { PromptOptions } from './feedback.ts';
import { fenced } from './fence.ts';
import { taskMessages } from './task-messages.ts';

/** What the prompts of the repair nodes tell about the attempt before. */
export type LastAttempt = Pick<Attempt, 'candidate' | 'completion' | 'verdict'> &
  Partial<Pick<Attempt, 'repeated' | 'diagnosis'>>;

/** Characters of an answer without code that are quoted back. */
const longestQuote = 300;

/**
 * The task, the last answer as the model's own turn, and what is to be said about it. Earlier answers
 * are left out: they would double a small model's prompt and it tends to copy what it sees twice.
 * Of the last answer only the candidate, or the edits, are quoted, since chatter begets chatter; it is
 * written as the system prompt asks for it.
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

/** How every remark ends. An edit is always one of the code as it is shown at first, which keeps line numbers. */
export function askAgain(task: Task, { answer = 'whole' }: PromptOptions): string {
  return answer === 'edit'
    ? `Fix \`${task.entryPoint}\` with an edit of the code above.`
    : `Fix \`${task.entryPoint}\` and answer with the whole function.`;
}

function quoted(task: Task, { candidate, completion }: LastAttempt, answer: AnswerFormat): string {
  const edits = answer === 'edit' ? readEdits(completion) : [];
  if (edits.length > 0) return editText(edits);
  if (candidate !== null) return fenced(task.language, candidate);
  const said = withoutThinking(completion).trim();
  if (said === '') return '(no answer)';
  return said.length <= longestQuote ? said : `${said.slice(0, longestQuote)}…`;
}
