import type { Message } from '../ports.ts';
import type { Task } from '../task.ts';
import { taskMessages } from './task-messages.ts';

/** The first attempt: the task and nothing else. */
export function draftPrompt(task: Task): readonly Message[] {
  return taskMessages(task);
}
