import type { Message } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import type { PromptOptions } from './feedback.ts';
import { taskMessages } from './task-messages.ts';

/** The first attempt: only the task. */
export function draftPrompt(
  task: Task,
  { answer = 'whole' }: Partial<PromptOptions> = {},
): readonly Message[] {
  return taskMessages(task, answer);
}
