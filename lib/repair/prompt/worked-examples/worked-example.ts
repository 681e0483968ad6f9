import type { Task } from '../../../core/task.ts';

/** A small repair from start to end, shown to a model before its own task. */
export interface WorkedExample extends Pick<Task, 'entryPoint' | 'declaration' | 'docstring'> {
  /** The function's bodies, with and without the bug. */
  readonly buggyBody: string;
  readonly fixedBody: string;
  readonly explanation: string;
}
