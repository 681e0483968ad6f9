import type { Share } from '../../../report/interval.ts';
import { groupedByTask, shareWithin, type TaskRuns } from '../../../report/task-runs.ts';
import type { Row } from '../../view-data.ts';
import type { Run } from '../hooks/use-runs.ts';

export interface RunShares {
  /** The share without any feedback; null if there is no such answer. */
  readonly first: Share | null;
  /** Within all iterations. */
  readonly solved: Share | null;
}

export function sharesOf({ info, rows, large }: Run): RunShares {
  if (large !== null) return large.totals ?? { first: null, solved: null };
  const tasks = taskRunsOfRows(rows);
  // Without test feedback an agent submits one answer, regardless of the number of iterations.
  const isAided = (info.settings.feedback ?? 'tests') === 'tests';
  const isChosen = rows.some(({ chosen_with }) => chosen_with !== 'nothing');
  const within = isAided ? 0 : Number.POSITIVE_INFINITY;
  return {
    first: isChosen ? null : shareWithin(tasks, within),
    solved: shareWithin(tasks, Number.POSITIVE_INFINITY),
  };
}

export function taskRunsOfRows(rows: readonly Row[]): TaskRuns[] {
  return groupedByTask(
    rows.map(row => ({ ...row, judgedThrough: row.judged_through ?? Number.POSITIVE_INFINITY })),
  );
}
