import { keyOf } from '../core/record.ts';
import type { RecordFacts } from '../core/record-facts.ts';
import type { Task } from '../core/task.ts';
import { closest, partsOf } from '../options/option.ts';
import type { RunOptions, selectionOptions } from '../options/tables/run-options.ts';
import { tasksUnknown } from './errors.ts';

/** One run of the agent on one task. */
export interface Job {
  readonly task: Task;
  /** The task's 0-based index in its dataset. */
  readonly index: number;
  /** 0-based index among the independent runs of this task. */
  readonly sample: number;
}

export interface Plan {
  /** In the dataset's order, with the samples of a task one after the other. */
  readonly jobs: readonly Job[];
  /** The records of those that need not run. */
  readonly done: readonly RecordFacts[];
  readonly left: readonly Job[];
}

type PlanOptions = Pick<RunOptions, (typeof selectionOptions)[number] | 'retryErrors'>;

/**
 * Determines the jobs of a run, given the records in its results file: tasks that ended in an error run
 * again; with `retryErrors` only those do.
 * `countOf`: how many samples a task has; `--samples` unless given.
 * @throws HefixError (`TASKS_UNKNOWN`) for a pattern that no task matches.
 */
export function planRun(
  dataset: { readonly name: string; readonly tasks: readonly Task[] },
  options: PlanOptions,
  recorded: readonly RecordFacts[],
  countOf: (task: Task) => number = () => options.samples,
): Plan {
  const records = new Map(recorded.map(record => [keyOf(record.task_id, record.sample), record]));
  const recordOf = ({ task, sample }: Job) => records.get(keyOf(task.id, sample));
  const all = jobsOf(dataset, options, countOf);
  const jobs = options.retryErrors ? all.filter(job => recordOf(job) !== undefined) : all;
  const isDone = (job: Job) => (recordOf(job)?.passed ?? null) !== null;
  const left = jobs.filter(job => !isDone(job));
  return { jobs, left, done: jobs.filter(isDone).flatMap(job => recordOf(job) ?? []) };
}

/** Every n-th task, since tasks often get harder from first to last and parts should be alike. */
function shardOf(tasks: readonly Task[], shard: string | undefined): readonly Task[] {
  if (shard === undefined) return tasks;
  const [index, count] = partsOf(shard);
  return tasks.filter((_, task) => task % count === index - 1);
}

function jobsOf(
  { name, tasks }: { readonly name: string; readonly tasks: readonly Task[] },
  options: PlanOptions,
  countOf: (task: Task) => number,
): Job[] {
  const indices = new Map(tasks.map((task, index) => [task, index]));
  return shardOf(selectTasks(tasks, options, name), options.shard).flatMap(task =>
    Array.from({ length: countOf(task) }, (_, sample) => ({
      task,
      index: indices.get(task) ?? 0,
      sample,
    })),
  );
}

/**
 * Selects tasks of a dataset, in the dataset's order. `tasks` are ids (`mini/3`), their last parts (`3`) or
 * globs (`mini/1*`), separated by commas.
 * @throws HefixError (`TASKS_UNKNOWN`) for a pattern that no task matches.
 */
export function selectTasks(
  all: readonly Task[],
  { tasks, limit }: { readonly tasks?: string | undefined; readonly limit?: number | undefined },
  dataset: string,
): Task[] {
  const chosen = tasks === undefined ? all : matching(all, tasks, dataset);
  return chosen.slice(0, limit);
}

function matching(all: readonly Task[], tasks: string, dataset: string): Task[] {
  const patterns = tasks.split(',').map(pattern => pattern.trim());
  const matches = patterns
    .filter(pattern => pattern !== '')
    .map(pattern => ({ pattern, test: matcher(pattern) }));
  for (const { pattern, test } of matches) {
    if (!all.some(task => test(task.id))) {
      throw tasksUnknown(
        pattern,
        dataset,
        closest(
          pattern,
          all.map(task => task.id),
        ),
      );
    }
  }
  return all.filter(task => matches.some(({ test }) => test(task.id)));
}

/** `*` matches any text and `?` any one character; slashes are not special. */
function matcher(pattern: string): (id: string) => boolean {
  const wanted = [...pattern];
  return id => isMatch(wanted, [...id]) || isMatch(wanted, [...id.slice(id.lastIndexOf('/') + 1)]);
}

/** Tries no combinations of lengths, as a regular expression would: only the last `*` can have taken too little. */
function isMatch(pattern: readonly string[], text: readonly string[]): boolean {
  let patternIndex = 0;
  let star = -1;
  let taken = 0;
  for (let position = 0; position < text.length; ) {
    if (pattern[patternIndex] === '*') {
      star = patternIndex++;
      taken = position;
    } else if (
      patternIndex < pattern.length &&
      (pattern[patternIndex] === '?' || pattern[patternIndex] === text[position])
    ) {
      patternIndex++;
      position++;
    } else if (star === -1) return false;
    else {
      patternIndex = star + 1;
      position = ++taken;
    }
  }
  return pattern.slice(patternIndex).every(letter => letter === '*');
}
