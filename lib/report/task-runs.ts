import type { RunRecord } from '../core/record.ts';
import type { BugType } from '../core/task.ts';
import { meanShare, type Share } from './interval.ts';

/** What the judged runs of one task came to: the unit of all shares and intervals. */
export interface TaskRuns {
  readonly taskId: string;
  readonly bugType: BugType | null;
  /** For each run the repair iterations that it took, 0 for the draft alone; null if it did not solve the task. */
  readonly solvedIn: readonly (number | null)[];
}

/** What is needed of a record. */
type Judged = Pick<RunRecord, 'task_id' | 'index' | 'sample' | 'bug_type' | 'passed' | 'iters'>;

/** Tasks in their dataset's order; runs that broke are left out, and so are tasks without any other. */
export function taskRunsOf(records: readonly Judged[]): TaskRuns[] {
  const byTask = new Map<string, Judged[]>();
  for (const record of records.filter(({ passed }) => passed !== null)) {
    const group = byTask.get(record.task_id) ?? [];
    byTask.set(record.task_id, [...group, record]);
  }
  const groups = [...byTask.values()].sort((a, b) => (a[0]?.index ?? 0) - (b[0]?.index ?? 0));
  return groups.map(group => ({
    taskId: group[0]?.task_id ?? '',
    bugType: group[0]?.bug_type ?? null,
    solvedIn: group
      .toSorted((a, b) => a.sample - b.sample)
      .map(({ passed, iters }) => (passed ? iters : null)),
  }));
}

/** Of the tasks' runs, the share that solved theirs within so many repair iterations; each task weighs the same. */
export function shareWithin(tasks: readonly TaskRuns[], iterations: number): Share | null {
  const values = tasks.map(
    ({ solvedIn }) => solvedIn.filter(i => i !== null && i <= iterations).length / solvedIn.length,
  );
  return meanShare(
    values,
    tasks.reduce((sum, { solvedIn }) => sum + solvedIn.length, 0),
  );
}
