import { isUnrunnable } from '../../../machines/verdicts.ts';
import type { Message } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import type { Verdict } from '../../core/verdict.ts';
import { failureText, type PromptOptions } from './feedback.ts';
import { languageNames } from './fence.ts';
import { aboutLastAnswer, askAgain, type LastAttempt } from './last-answer.ts';
import { signatureText, taskMessages } from './task-messages.ts';

/** The first attempt: only the task. */
export function draftPrompt(
  task: Task,
  { answer = 'whole' }: Partial<PromptOptions> = {},
): readonly Message[] {
  return taskMessages(task, answer);
}

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
  'Your answer contains no edit. Write each edit as three lines: `@` and the line number, `-` and the text to replace, `+` and the replacement.';

function syntaxFault(candidate: LastAttempt['candidate'], { message, exception }: Verdict): string {
  const line = exception?.line;
  if (line === undefined) return message;
  const source = candidate?.split('\n')[line - 1]?.trim() ?? '';
  const place = `${exception?.message ?? message} in line ${line}`;
  return source === '' ? `${place}.` : `${place}:\n${source}`;
}
