import { isUnrunnable } from '../../machines/verdicts.ts';
import type { Message } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import { withoutThinking } from '../syntax/code-blocks.ts';
import type { PromptOptions } from './feedback.ts';
import { aboutLastAnswer, askAgain, type LastAttempt } from './last-answer.ts';
import { failureRemark, faultText, repeatRemark } from './reflect-prompts.ts';

/** Shows the failure and asks for its cause in a few sentences; the next prompt asks for the code. */
export function diagnosePrompt(task: Task, last: LastAttempt, options: PromptOptions): readonly Message[] {
  return aboutLastAnswer(task, last, `${remark(task, last, options)}\n\n${ASK_WHY}`, options);
}

const ASK_WHY =
  'Do not write code yet. Say in at most three sentences what is wrong in it and what has to change.';

/** Shows the failure and the diagnosis, and asks for the function. */
export function proposeAgainPrompt(
  task: Task,
  last: LastAttempt,
  options: PromptOptions,
): readonly Message[] {
  const diagnosis = short(withoutThinking(last.diagnosis?.completion ?? '').trim());
  const parts = [
    remark(task, last, options),
    ...(diagnosis === '' ? [] : [`Diagnosis: ${diagnosis}`]),
    askAgain(task, options),
  ];
  return aboutLastAnswer(task, last, parts.join('\n\n'), options);
}

function remark(task: Task, last: LastAttempt, options: PromptOptions): string {
  if (isUnrunnable(last)) return faultText(task, last, options);
  return last.repeated ? repeatRemark(task, last, options) : failureRemark(task, last, options);
}

/** A model that is asked for sentences may write a page. */
function short(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

/** In characters: about three long sentences. */
const LONGEST = 800;
