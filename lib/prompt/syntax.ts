import type { Message } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import type { Verdict } from '../core/verdict.ts';
import type { PromptOptions } from './feedback.ts';
import { languageNames } from './fence.ts';
import { aboutLastAnswer, askAgain, type LastAttempt } from './last-answer.ts';
import { signatureText } from './task-messages.ts';

/**
 * The answer could not be run: no code, an edit that does not apply, a syntax error, or another signature.
 * None of this comes from a test.
 */
export function syntaxPrompt(task: Task, last: LastAttempt, options: PromptOptions): readonly Message[] {
  const remark = `${faultText(task, last, options)}\n\n${askAgain(task, options)}`;
  return aboutLastAnswer(task, last, remark, options);
}

export function faultText(
  task: Task,
  { candidate, verdict }: LastAttempt,
  { answer }: PromptOptions,
): string {
  const language = languageNames[task.language];
  if (verdict?.kind === 'edit-not-applicable') return `That edit does not fit the code. ${verdict.message}`;
  if (verdict === null || verdict.kind === 'no-code') {
    if (answer === 'edit') return NO_EDIT;
    return `There is no ${language} code of \`${task.entryPoint}\` in that answer. Put it in one code block.`;
  }
  if (verdict.kind === 'signature') {
    const instead = verdict.actual === undefined ? '' : ` instead of \`${verdict.actual}\``;
    return `It has to keep the signature \`${verdict.expected ?? signatureText(task)}\`${instead}.`;
  }
  return `That is not valid ${language}: ${syntaxFault(candidate, verdict)}`;
}

const NO_EDIT =
  'There is no edit in that answer. It is `@` and the number of a line, then `-` and what is wrong in it, then `+` and what takes its place, each on a line of its own.';

function syntaxFault(candidate: LastAttempt['candidate'], { message, exception }: Verdict): string {
  const line = exception?.line;
  if (line === undefined) return message;
  const source = candidate?.split('\n')[line - 1]?.trim() ?? '';
  const place = `${exception?.message ?? message} in line ${line}`;
  return source === '' ? `${place}.` : `${place}:\n${source}`;
}
