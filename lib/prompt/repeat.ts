import type { Message } from '../ports.ts';
import type { Task } from '../task.ts';
import { failureText, type PromptOptions } from './feedback.ts';
import { aboutLastAnswer, type LastAttempt } from './last-answer.ts';

/** The same function as before, or the buggy one: it was tried, something has to change. */
export function repeatPrompt(task: Task, last: LastAttempt, options: PromptOptions): readonly Message[] {
  const failure = failureText(task, last.verdict, options);
  const remark = [
    'This was tried before and is not right.',
    ...(failure === '' ? [] : [failure]),
    `\nChange something else in \`${task.entryPoint}\` and answer with the whole function.`,
  ];
  return aboutLastAnswer(task, last, remark.join('\n'));
}
