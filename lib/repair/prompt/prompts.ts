import { isUnrunnable } from '../../../machines/verdicts.ts';
import type { Node } from '../../core/attempt.ts';
import type { Message } from '../../core/ports.ts';
import { shortened } from '../../core/printable.ts';
import type { Task } from '../../core/task.ts';
import { withoutThinking } from '../../syntax/code-blocks.ts';
import type { PromptOptions } from './feedback.ts';
import { aboutLastAnswer, askAgain, type LastAttempt } from './last-answer.ts';
import {
  draftPrompt,
  failureRemark,
  faultText,
  reflectPrompt,
  repeatPrompt,
  repeatRemark,
  syntaxPrompt,
} from './reflect-prompts.ts';

/** The prompt of a node; without a previous attempt it is the draft's. */
export function promptOf(
  node: Node,
  task: Task,
  last: LastAttempt | undefined,
  options: PromptOptions,
): readonly Message[] {
  if (node === 'draft' || !last) return draftPrompt(task, options);
  if (node === 'reflect') return reflectPrompt(task, last, options);
  if (node === 'repeat') return repeatPrompt(task, last, options);
  if (node === 'propose') return proposeAgainPrompt(task, last, options);
  if (node === 'diagnose') return diagnosePrompt(task, last, options);
  return syntaxPrompt(task, last, options);
}

/** Shows the failure and asks for its cause in a few sentences; the next prompt asks for the code. */
function diagnosePrompt(task: Task, last: LastAttempt, options: PromptOptions): readonly Message[] {
  return aboutLastAnswer(task, last, `${remark(task, last, options)}\n\n${ASK_WHY}`, options);
}

const ASK_WHY =
  'Do not write code yet. Say in at most three sentences what is wrong in it and what has to change.';

/** Shows the failure and the diagnosis, and asks for the function. */
function proposeAgainPrompt(task: Task, last: LastAttempt, options: PromptOptions): readonly Message[] {
  const diagnosis = shortened(withoutThinking(last.diagnosis?.completion ?? '').trim(), LONGEST);
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

/** In characters: about three long sentences; a model that is asked for sentences may write a page. */
const LONGEST = 800;
