import type { AnswerFormat } from '../../../core/choices.ts';
import type { Message } from '../../../core/ports.ts';
import type { Language } from '../../../core/task.ts';
import { shownCode } from '../../../syntax/code-blocks.ts';
import { canonicalEdits, editText } from '../../../syntax/edits/edits.ts';
import { fenced, taskPrompt } from '../task-messages.ts';
import { type ShownExample, workedExamples } from './worked-examples.ts';

/** Inserts worked examples, as separate turns, between the system prompt and the task. */
export function withExamples(
  messages: readonly Message[],
  language: Language,
  count: number,
  turns: (example: ShownExample) => readonly Message[],
): readonly Message[] {
  const [system, ...rest] = messages;
  if (count === 0 || !system) return messages;
  return [system, ...workedExamples(language, count).flatMap(turns), ...rest];
}

/** A worked example with its answer, in the form of a real request. */
export const answeredIn: Readonly<Record<AnswerFormat, (example: ShownExample) => readonly Message[]>> = {
  whole: example => [
    { role: 'user', content: taskPrompt(example) },
    { role: 'assistant', content: fenced(example.language, example.fixed) },
  ],
  edit: example => [
    { role: 'user', content: taskPrompt(example, 'edit') },
    {
      role: 'assistant',
      content: editText(canonicalEdits(shownCode(example.buggy), shownCode(example.fixed))),
    },
  ],
};
