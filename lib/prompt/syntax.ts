import type { Message } from '../ports.ts';
import type { Task } from '../task.ts';
import { languageNames } from './fence.ts';
import { aboutLastAnswer, askAgain, type LastAttempt } from './last-answer.ts';
import { signatureText } from './task-messages.ts';

/**
 * The answer could not be run: no code in it, code that does not parse, or another signature.
 * Nothing here comes from a test.
 */
export function syntaxPrompt(task: Task, last: LastAttempt): readonly Message[] {
  return aboutLastAnswer(task, last, `${fault(task, last)}\n\n${askAgain(task)}`);
}

function fault(task: Task, { candidate, verdict }: LastAttempt): string {
  const language = languageNames[task.language];
  if (verdict.kind === 'no-code') {
    return `There is no ${language} code of \`${task.entryPoint}\` in that answer. Put it in one code block.`;
  }
  if (verdict.kind === 'signature') {
    const instead = verdict.actual === undefined ? '' : ` instead of \`${verdict.actual}\``;
    return `It has to keep the signature \`${verdict.expected ?? signatureText(task)}\`${instead}.`;
  }
  return `That is not valid ${language}: ${syntaxFault(candidate, verdict)}`;
}

function syntaxFault(
  candidate: LastAttempt['candidate'],
  { message, exception }: LastAttempt['verdict'],
): string {
  const line = exception?.line;
  if (line === undefined) return message;
  const source = candidate?.split('\n')[line - 1]?.trim() ?? '';
  const place = `${exception?.message ?? message} in line ${line}`;
  return source === '' ? `${place}.` : `${place}:\n${source}`;
}
