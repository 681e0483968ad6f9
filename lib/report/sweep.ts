import type { RecordFacts } from '../core/record-facts.ts';
import type { Share } from './numbers.ts';
import { percentWithin } from './numbers.ts';
import { type ChosenWith, chosenWithIn, defaultKs, passAtKs, taskRunsOf } from './task-runs.ts';
import { isChosenByTests } from './usage.ts';

/** One point of a sweep: the results of one setting within so many repair iterations. */
export interface SweepRow extends Share {
  /** What distinguishes this run from the others of the sweep: `{"agent": "reflect", "temperature": 0.4}`. */
  readonly settings: Readonly<{ [option: string]: string | number }>;
  readonly iterations: number;
  /**
   * `value` is the share of tasks that at least one of k runs solves within so many iterations, `low` and
   * `high` its 95% interval. It is pass@k only without test feedback and if the candidate was chosen with
   * nothing.
   */
  readonly k: number;
  /** Whether the hidden tests' results for earlier candidates were used. */
  readonly with_test_feedback: boolean;
  /** What the first candidate was chosen with. */
  readonly chosen_with: ChosenWith;
  readonly tasks: number;
  readonly runs: number;
  /** Means over all runs, until solved or out of iterations. */
  readonly completion_tokens_per_run: number;
  readonly seconds_per_run: number;
}

export interface SweepRun {
  readonly settings: SweepRow['settings'];
  readonly records: readonly RecordFacts[];
  /** The numbers of iterations to report. The run's own is the highest of them, or the only one. */
  readonly iterations: readonly number[];
}

/**
 * Agents do not take the remaining iterations into account, so a run with many also shows the results of
 * lower ones, provided each attempt was judged by the hidden tests (feedback `tests`).
 */
export function sweepRows({ settings, records, iterations }: SweepRun): SweepRow[] {
  const judged = records.filter(({ passed }) => passed !== null);
  const tasks = taskRunsOf(records);
  const ks = defaultKs(tasks.reduce((max, { runs }) => Math.max(max, runs.length), 0));
  const isAided = judged.some(({ feedback }) => feedback === 'tests');
  const isChosen = judged.some(isChosenByTests);
  const chosen = chosenWithIn(records);
  return iterations.flatMap(count => {
    const cost = costWithin(judged, count);
    return passAtKs(tasks, ks, isAided ? count : Number.POSITIVE_INFINITY).map(
      ({ k, tasks: of, value, low, high }) => ({
        settings,
        iterations: count,
        k,
        with_test_feedback: isChosen || (isAided && count > 0),
        chosen_with: chosen,
        tasks: of,
        runs: judged.length,
        value,
        low,
        high,
        ...cost,
      }),
    );
  });
}

function costWithin(records: readonly RecordFacts[], iterations: number) {
  let [completionTokens, allSeconds] = [0, 0];
  for (const { attempts, search } of records) {
    for (const { iteration, tokens, seconds, diagnosis } of attempts) {
      if (!search && iteration > iterations) continue;
      completionTokens += tokens.completion + (diagnosis?.tokens.completion ?? 0);
      allSeconds += seconds.proposal + seconds.execution + (diagnosis?.seconds ?? 0);
    }
  }
  const runs = Math.max(1, records.length);
  return { completion_tokens_per_run: completionTokens / runs, seconds_per_run: allSeconds / runs };
}

/** Whether `value` is pass@k: the first candidate, with neither tests nor examples consulted. */
export function isPassAtK({ with_test_feedback, chosen_with }: SweepRow): boolean {
  return !with_test_feedback && (chosen_with ?? 'nothing') === 'nothing';
}

const measures = [
  'iterations',
  'k',
  'with_test_feedback',
  'chosen_with',
  'tasks',
  'runs',
  'value',
  'low',
  'high',
  'completion_tokens_per_run',
  'seconds_per_run',
] as const satisfies readonly (keyof SweepRow)[];

/** All rows as comma-separated values with a header; each line ends in a line feed. */
export function sweepCsv(rows: readonly SweepRow[]): string {
  const options = optionsOf(rows);
  const lines = rows.map(row => [
    ...options.map(option => row.settings[option] ?? ''),
    ...measures.map(measure => row[measure]),
  ]);
  return [[...options, ...measures], ...lines].map(line => `${line.map(csvField).join(',')}\n`).join('');
}

/**
 * The rows as a text table: one line per setting and number of iterations, followed by what the shares mean; each line ends
 * in a line feed.
 */
export function sweepText(rows: readonly SweepRow[]): string {
  const options = optionsOf(rows);
  const ks = [...new Set(rows.map(({ k }) => k))];
  const shown = ks.length > 2 ? [Math.min(...ks), Math.max(...ks)] : ks;
  const header = [
    ...options,
    'iterations',
    ...shown.map(k => (k === 1 ? 'solved (95% interval)' : `by any of ${k} samples`)),
    'tokens',
    'seconds',
  ];
  const points = rows.filter(({ k }) => k === shown[0]);
  const lines = points.map(point => [
    ...options.map(option => String(point.settings[option] ?? '')),
    `${point.iterations}${markOf(point)}`,
    ...shown.map(k => percent(rows.find(row => row.k === k && isSamePoint(row, point)))),
    point.completion_tokens_per_run.toFixed(0),
    point.seconds_per_run.toFixed(1),
  ]);
  const widths = header.map((title, column) =>
    Math.max(title.length, ...lines.map(line => line[column]?.length ?? 0)),
  );
  const table = [header, ...lines].map(line =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...table, ...notes(points, shown)].map(line => `${line}\n`).join('');
}

/**
 * Nothing for pass@k, `*` for solved within so many iterations, `†` for candidates chosen with examples or
 * tests.
 */
function markOf(point: SweepRow): string {
  const chosen = (point.chosen_with ?? 'nothing') !== 'nothing' ? ' †' : '';
  return `${point.with_test_feedback ? ' *' : ''}${chosen}`;
}

function notes(points: readonly SweepRow[], ks: readonly number[]): string[] {
  const chosen = points.filter(({ chosen_with }) => (chosen_with ?? 'nothing') !== 'nothing');
  const by = chosen.some(({ chosen_with }) => chosen_with === 'tests') ? 'the hidden tests' : 'examples';
  return [
    ...(points.some(isPassAtK) ? [`unmarked: ${ks.map(k => `pass@${k}`).join(', ')}`] : []),
    ...(points.some(point => point.with_test_feedback)
      ? ['* solved within so many iterations, with test feedback']
      : []),
    ...(chosen.length > 0 ? [`† first candidate tried on ${by} before`] : []),
  ];
}

function isSamePoint(row: SweepRow, point: SweepRow): boolean {
  return row.iterations === point.iterations && nameOf(row) === nameOf(point);
}

function nameOf({ settings }: SweepRow): string {
  return JSON.stringify(settings);
}

function optionsOf(rows: readonly SweepRow[]): string[] {
  return [...new Set(rows.flatMap(({ settings }) => Object.keys(settings)))];
}

function percent(row: SweepRow | undefined): string {
  return row === undefined ? '' : percentWithin(row);
}

/** RFC 4180. */
function csvField(value: string | number | boolean): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
