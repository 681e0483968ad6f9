import type { Message } from '../ports.ts';
import type { Task } from '../task.ts';
import { failureText, type PromptOptions } from './feedback.ts';
import { aboutLastAnswer, askAgain, type LastAttempt } from './last-answer.ts';

/** The tests did not pass: which line, what was expected, what came back. */
export function reflectPrompt(task: Task, last: LastAttempt, options: PromptOptions): readonly Message[] {
  const failure = failureText(task, last.verdict, options);
  const remark = failure === '' ? 'It may still have a bug. Check it against what it should do.' : failure;
  return aboutLastAnswer(task, last, `That is not right yet. ${remark}\n\n${askAgain(task)}`);
}
