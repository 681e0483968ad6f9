import type { Task } from '../../core/task.ts';

/** One function of a program as a task, and the way back from a candidate to the program. */
export interface CodeTask {
  readonly task: Task;
  /**
   * The program with the candidate's changes: the function, and a helper if that was wrong. The rest stays
   * byte for byte. Null if the candidate lacks the function or changes an example of a docstring.
   */
  codeWith(candidate: string): string | null;
}
