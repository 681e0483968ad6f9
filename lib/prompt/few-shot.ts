import type { Message } from '../ports.ts';
import type { Language } from '../task.ts';
import { fenced } from './fence.ts';
import { taskPrompt } from './task-messages.ts';
import { type ShownExample, workedExamples } from './worked-examples.ts';

/** Puts worked examples, as turns of their own, between the system prompt and the task. */
export function withExamples(
  messages: readonly Message[],
  language: Language,
  count: number,
  turns: (example: ShownExample) => readonly Message[] = answeredInCode,
): readonly Message[] {
  const [system, ...rest] = messages;
  if (count === 0 || !system) return messages;
  return [system, ...workedExamples(language, count).flatMap(turns), ...rest];
}

function answeredInCode(example: ShownExample): readonly Message[] {
  return [
    { role: 'user', content: taskPrompt(example) },
    { role: 'assistant', content: fenced(example.language, example.fixed) },
  ];
}
