import { judgedThrough, repairsOf } from '../core/judged-iterations.ts';
import { sumOf } from '../core/numbers.ts';
import type { RecordFacts } from '../core/record-facts.ts';
import type { BugType } from '../core/task.ts';
import { meanShare, type Share } from './numbers.ts';

/** The judged runs of one task: the unit of all shares and intervals. */
export interface TaskRuns {
  readonly taskId: string;
  readonly bugType: BugType | null;
  readonly runs: readonly JudgedRun[];
}

interface JudgedRun {
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
  return groupedByTask(judgedIn(records));
}

function* judgedIn(records: readonly RecordFacts[]): Generator<Judged> {
  for (const record of records) {
    const { task_id, index, sample, bug_type, passed } = record;
    const iters = repairsOf(record);
    yield { task_id, index, sample, bug_type, passed, iters, judgedThrough: judgedThrough(record) };
  }
}

/** The same from a short form of each record, with the result of `judgedThrough`. */
export function groupedByTask(records: Iterable<Judged>): TaskRuns[] {
  const byTask = new Map<string, Group>();
  for (const { task_id: taskId, index, sample, bug_type: bugType, passed, iters, judgedThrough } of records) {
    if (judgedThrough < 0) continue;
    const group = byTask.get(taskId) ?? { taskId, index, bugType, runs: [] };
    if (group.runs.length === 0) byTask.set(taskId, group);
    group.runs.push({ sample, solvedIn: passed ? iters : null, judgedThrough });
  }
  return [...byTask.values()]
    .sort((a, b) => a.index - b.index)
    .map(({ taskId, bugType, runs }) => ({
      taskId,
      bugType,
      runs: runs.sort((a, b) => a.sample - b.sample),
    }));
}

interface Group extends Omit<TaskRuns, 'runs'> {
  readonly index: number;
  readonly runs: (JudgedRun & { readonly sample: number })[];
}

function isSolvedWithin({ solvedIn }: JudgedRun, iterations: number): boolean {
  return solvedIn !== null && solvedIn <= iterations;
}

/** How many of a task's runs have a result within so many repair iterations, and how many of these solved it. */
export function countsWithin({ runs }: TaskRuns, iterations: number): { runs: number; solved: number } {
  const counts = { runs: 0, solved: 0 };
  for (const run of runs) {
    const solved = isSolvedWithin(run, iterations);
    if (solved) counts.solved++;
    if (run.solvedIn !== null || run.judgedThrough >= iterations) counts.runs++;
  }
  return counts;
}

/**
 * The share of runs that solved their task within so many repair iterations; each task has the same weight.
 */
export function shareWithin(tasks: readonly TaskRuns[], iterations: number): Share | null {
  const judged = tasks.map(task => countsWithin(task, iterations)).filter(({ runs }) => runs > 0);
  return meanShare(
    judged.map(({ solved, runs }) => solved / runs),
    sumOf(judged, ({ runs }) => runs),
  );
}

/** The numbers of runs that `shareWithin` is based on. */
export function countWithin(tasks: readonly TaskRuns[], iterations: number) {
  const counts = tasks.map(task => countsWithin(task, iterations));
  return { runs: sumOf(counts, ({ runs }) => runs), solved: sumOf(counts, ({ solved }) => solved) };
}

/** The share of tasks that at least one of k runs solves. */
export interface PassAtK extends Share {
  readonly k: number;
  /** Number of tasks with at least k judged runs. */
  readonly tasks: number;
}

/**
 * Estimates pass@k without bias from `runs` runs, `solved` of them successful: the probability that at least
 * one of k of them drawn at random solves the task, 1 − C(runs − solved, k) / C(runs, k). Null if there are
 * fewer runs than k. M. Chen et al., Evaluating large language models trained on code (2021), section 2.1.
 */
export function passAtK(runs: number, solved: number, k: number): number | null {
  if (runs < k) return null;
  let missed = 1;
  for (let drawn = 0; drawn < k; drawn++) missed *= Math.max(0, runs - solved - drawn) / (runs - drawn);
  return 1 - missed;
}

/** For each k of `ks`, by the results within so many repair iterations. */
export function passAtKs(tasks: readonly TaskRuns[], ks: readonly number[], within: number): PassAtK[] {
  const counts = tasks.map(task => countsWithin(task, within));
  return ks.flatMap(k => {
    const enough = counts.filter(({ runs }) => runs >= k);
    const values = enough.flatMap(({ runs, solved }) => passAtK(runs, solved, k) ?? []);
    const runs = sumOf(enough, count => count.runs);
    const share = meanShare(values, runs);
    return share === null ? [] : [{ k, tasks: enough.length, ...share }];
  });
}

/** The values of k to report for so many samples: the customary ones, and all. */
export function defaultKs(samples: number): number[] {
  return [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    .filter(k => k < samples)
    .concat(samples > 0 ? [samples] : []);
}

/**
 * What a run's first candidate was chosen with before the hidden tests saw it: nothing that was run, the
 * docstring's examples, or the hidden tests themselves. Its rate is called pass@1 only in the first case.
 */
const choices = ['nothing', 'examples', 'tests'] as const;
export type ChosenWith = (typeof choices)[number];

/** The required fields of a record. */
type Choice = Pick<RecordFacts, 'search' | 'feedback'> & {
  readonly attempts: readonly Pick<RecordFacts['attempts'][number], 'selection'>[];
};

export function chosenWith(record: Choice): ChosenWith {
  const { search, feedback } = record;
  if (search?.tried_on === 'tests') return 'tests';
  const ran = search !== undefined && search.tried_on !== 'nothing';
  const isScreened = (record.attempts[0]?.selection?.checks.length ?? 0) > 0;
  return ran || isScreened || feedback === 'examples' ? 'examples' : 'nothing';
}

/** For several runs, the strongest of their values. */
export function chosenWithIn(records: readonly Choice[]): ChosenWith {
  const ways = new Set<ChosenWith>();
  for (const record of records) ways.add(chosenWith(record));
  return choices.findLast(choice => ways.has(choice)) ?? 'nothing';
}

/** `pass@1`, or its replacement. */
export function firstCandidateName(chosen: ChosenWith, k = 1): string {
  if (chosen === 'nothing') return `pass@${k}`;
  return `${k === 1 ? 'first candidate' : `first of ${k} samples`}, ${choiceName(chosen)}`;
}

export function choiceName(chosen: ChosenWith): string {
  if (chosen === 'nothing') return 'nothing run before';
  return `tried on ${chosen === 'tests' ? 'the hidden tests' : 'the docstring’s examples'} before`;
}

/** `within 2 iterations`: how often the hidden tests could be run again. */
export function withinName(iterations: number): string {
  return `within ${iterations} iteration${iterations === 1 ? '' : 's'}`;
}
