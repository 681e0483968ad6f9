import { sumOf } from '../core/numbers.ts';
import type { RecordFacts } from '../core/record-facts.ts';
import type { BugType } from '../core/task.ts';
import { meanShare, type Share } from './interval.ts';

/** The judged runs of one task: the unit of all shares and intervals. */
export interface TaskRuns {
  readonly taskId: string;
  readonly bugType: BugType | null;
  readonly runs: readonly JudgedRun[];
}

export interface JudgedRun {
  /** Repair iterations until it solved the task, 0 for the draft; null if it did not. */
  readonly solvedIn: number | null;
  /** The last judged iteration: infinity unless the model or the sandbox failed after it. */
  readonly judgedThrough: number;
}

/** The required fields of a record. */
interface Judged extends Pick<RecordFacts, 'task_id' | 'index' | 'sample' | 'bug_type' | 'passed' | 'iters'> {
  readonly judgedThrough: number;
}

/**
 * Groups runs by task, in the dataset's order. A run that ended in an error counts for the attempts that were
 * judged; runs without any are left out, as are tasks without judged runs.
 */
export function taskRunsOf(records: readonly RecordFacts[]): TaskRuns[] {
  return groupedByTask(
    records.map(record => {
      const { task_id, index, sample, bug_type, passed } = record;
      const iters = repairsOf(record);
      return { task_id, index, sample, bug_type, passed, iters, judgedThrough: judgedThrough(record) };
    }),
  );
}

/**
 * The repair iterations of a run. The agent `search` has none: its records count the candidates that were tried on the
 * hidden tests before the last one.
 */
export function repairsOf({ search, iters }: { readonly search?: unknown; readonly iters: number }): number {
  return search === undefined ? iters : 0;
}

/** The same from a short form of each record, with the result of `judgedThrough`. */
export function groupedByTask(records: readonly Judged[]): TaskRuns[] {
  const byTask = new Map<string, Judged[]>();
  for (const record of records.filter(run => run.judgedThrough >= 0)) {
    const group = byTask.get(record.task_id);
    if (group) group.push(record);
    else byTask.set(record.task_id, [record]);
  }
  const groups = [...byTask.values()].sort((a, b) => (a[0]?.index ?? 0) - (b[0]?.index ?? 0));
  return groups.map(group => ({
    taskId: group[0]?.task_id ?? '',
    bugType: group[0]?.bug_type ?? null,
    runs: group
      .toSorted((a, b) => a.sample - b.sample)
      .map(({ passed, iters, judgedThrough }) => ({ solvedIn: passed ? iters : null, judgedThrough })),
  }));
}

/**
 * The last judged iteration of a run: infinity if the run finished, −1 if nothing was judged. Without test
 * feedback, attempts have no verdict of the hidden tests.
 */
export function judgedThrough({
  passed,
  feedback,
  attempts,
}: Pick<RecordFacts, 'passed' | 'feedback'> & {
  readonly attempts: readonly { readonly iteration: number; readonly verdict: unknown }[];
}): number {
  if (passed !== null) return Number.POSITIVE_INFINITY;
  if (feedback !== 'tests') return -1;
  return attempts.findLast(({ verdict }) => verdict !== null)?.iteration ?? -1;
}

/** The runs with a result within so many repair iterations. */
export function runsWithin({ runs }: TaskRuns, iterations: number): JudgedRun[] {
  return runs.filter(run => run.solvedIn !== null || run.judgedThrough >= iterations);
}

export function isSolvedWithin({ solvedIn }: JudgedRun, iterations: number): boolean {
  return solvedIn !== null && solvedIn <= iterations;
}

/**
 * The share of runs that solved their task within so many repair iterations; each task has the same weight.
 */
export function shareWithin(tasks: readonly TaskRuns[], iterations: number): Share | null {
  const judged = tasks.map(task => runsWithin(task, iterations)).filter(({ length }) => length > 0);
  const values = judged.map(runs => runs.filter(run => isSolvedWithin(run, iterations)).length / runs.length);
  return meanShare(
    values,
    sumOf(judged, ({ length }) => length),
  );
}

/** The numbers of runs that `shareWithin` is based on. */
export function countWithin(tasks: readonly TaskRuns[], iterations: number) {
  const judged = tasks.flatMap(task => runsWithin(task, iterations));
  return { runs: judged.length, solved: judged.filter(run => isSolvedWithin(run, iterations)).length };
}
