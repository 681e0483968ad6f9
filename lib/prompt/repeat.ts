import { isUnrunnable } from '../../machines/verdicts.ts';
import type { Message } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import { failureText, type PromptOptions } from './feedback.ts';
import { aboutLastAnswer, askAgain, type LastAttempt } from './last-answer.ts';
import { faultText } from './syntax.ts';

/** The same function as before, or the buggy one: says so and asks for a different answer. */
export function repeatPrompt(task: Task, last: LastAttempt, options: PromptOptions): readonly Message[] {
  const change =
    options.answer === 'edit'
      ? `Change something else. ${askAgain(task, options)}`
      : `Change something else in \`${task.entryPoint}\` and answer with the whole function.`;
  return aboutLastAnswer(task, last, `${repeatRemark(task, last, options)}\n\n${change}`, options);
}

/** Without a verdict nothing was run: the only known fact is that the bug was left unchanged. */
export function repeatRemark(task: Task, last: LastAttempt, options: PromptOptions): string {
  const { verdict } = last;
  if (isUnrunnable(last)) return `This was tried before and cannot be run. ${faultText(task, last, options)}`;
  if (verdict === null) return 'This is still the function with the bug: nothing in it was changed.';
  const failure = failureText(task, verdict, options);
  return ['This was tried before and is not right.', ...(failure === '' ? [] : [failure])].join('\n');
}
