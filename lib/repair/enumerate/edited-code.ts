import type { Task } from '../../core/task.ts';
import { readEdits } from '../../edits/edit-answer.ts';
import { applyEdits } from '../../edits/edit-apply.ts';
import { shownCode } from '../../prompt/fence.ts';

/** The program after an edit; null if the edit does not apply. */
export function editedCode(task: Task, edit: string): string | null {
  const applied = applyEdits(shownCode(task.buggy), readEdits(edit));
  return 'code' in applied ? `${applied.code}\n` : null;
}
