import type { Message } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import { failureText, type PromptOptions } from './feedback.ts';
import { aboutLastAnswer, askAgain, type LastAttempt } from './last-answer.ts';

/** The tests failed: shows the line, the expected and the actual value. */
export function reflectPrompt(task: Task, last: LastAttempt, options: PromptOptions): readonly Message[] {
  const remark = `${failureRemark(task, last, options)}\n\n${askAgain(task, options)}`;
  return aboutLastAnswer(task, last, remark, options);
}

/**
 * A candidate that was not run may be right, so the prompt asks the model to check it instead of saying that
 * it is wrong.
 */
export function failureRemark(
  task: Task,
  { verdict, counts, later = 0 }: LastAttempt,
  options: PromptOptions,
): string {
  if (verdict === null) return CHECK;
  const failure = failureText(task, verdict, options, counts);
  const remark = `That is not right yet. ${failure === '' ? CHECK : failure}`;
  if (later === 0) return remark;
  return `${remark}\n\n${later === 1 ? 'The answer after it was worse.' : `The ${later} answers after it were worse.`}`;
}

const CHECK = 'It may still have a bug. Check it against what it should do.';
