import { percentWithin } from './numbers.ts';
import { isPassAtK, type SweepRow } from './sweep-rows.ts';

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
    ...(chosen.length > 0 ? [`† first candidate chosen with ${by}`] : []),
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
