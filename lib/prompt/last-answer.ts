import type { Attempt } from '../attempt.ts';
import type { Message } from '../ports.ts';
import type { Task } from '../task.ts';
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
 * Of the last answer only the candidate is quoted, since chatter begets chatter; it is the same
 * block that the system prompt asks for.
 */
export function aboutLastAnswer(task: Task, last: LastAttempt, remark: string): readonly Message[] {
  return [
    ...taskMessages(task),
    { role: 'assistant', content: quoted(task, last) },
    { role: 'user', content: remark },
  ];
}

/** How every remark ends. */
export function askAgain(task: Task): string {
  return `Fix \`${task.entryPoint}\` and answer with the whole function.`;
}

function quoted(task: Task, { candidate, completion }: LastAttempt): string {
  if (candidate !== null) return fenced(task.language, candidate);
  const said = completion.trim();
  if (said === '') return '(no answer)';
  return said.length <= longestQuote ? said : `${said.slice(0, longestQuote)}…`;
}
