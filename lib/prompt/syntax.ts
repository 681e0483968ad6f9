import type { Message } from '../ports.ts';
import type { Task } from '../task.ts';
import type { Verdict } from '../verdict.ts';
import { languageNames } from './fence.ts';
import { aboutLastAnswer, askAgain, type LastAttempt } from './last-answer.ts';
import { signatureText } from './task-messages.ts';

/**
 * The answer could not be run: no code in it, code that does not parse, or another signature.
 * Nothing here comes from a test.
 */
export function syntaxPrompt(task: Task, last: LastAttempt): readonly Message[] {
  return aboutLastAnswer(task, last, `${faultText(task, last)}\n\n${askAgain(task)}`);
}

export function isUnrunnable({ verdict }: LastAttempt): boolean {
  return verdict !== null && ['no-code', 'syntax', 'signature'].includes(verdict.kind);
}

export function faultText(task: Task, { candidate, verdict }: LastAttempt): string {
  const language = languageNames[task.language];
  if (verdict === null || verdict.kind === 'no-code') {
    return `There is no ${language} code of \`${task.entryPoint}\` in that answer. Put it in one code block.`;
  }
  if (verdict.kind === 'signature') {
    const instead = verdict.actual === undefined ? '' : ` instead of \`${verdict.actual}\``;
    return `It has to keep the signature \`${verdict.expected ?? signatureText(task)}\`${instead}.`;
  }
  return `That is not valid ${language}: ${syntaxFault(candidate, verdict)}`;
}

function syntaxFault(candidate: LastAttempt['candidate'], { message, exception }: Verdict): string {
  const line = exception?.line;
  if (line === undefined) return message;
  const source = candidate?.split('\n')[line - 1]?.trim() ?? '';
  const place = `${exception?.message ?? message} in line ${line}`;
  return source === '' ? `${place}.` : `${place}:\n${source}`;
}
