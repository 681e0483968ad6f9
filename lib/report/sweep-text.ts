import type { SweepRow } from './sweep-rows.ts';

const measures = [
  'iterations',
  'k',
  'with_test_feedback',
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

/** The same as a table for people: one line for each setting and budget, each ending in a line feed. */
export function sweepText(rows: readonly SweepRow[]): string {
  const options = optionsOf(rows);
  const ks = [...new Set(rows.map(({ k }) => k))];
  const shown = ks.length > 2 ? [Math.min(...ks), Math.max(...ks)] : ks;
  const header = [
    ...options,
    'iterations',
    ...shown.map(k => `pass@${k} (95% interval)`),
    'tokens',
    'seconds',
  ];
  const points = rows.filter(({ k }) => k === shown[0]);
  const lines = points.map(point => [
    ...options.map(option => String(point.settings[option] ?? '')),
    `${point.iterations}${point.with_test_feedback ? ' *' : ''}`,
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
  const note = points.some(point => point.with_test_feedback) ? ['* with test feedback'] : [];
  return [...table, ...note].map(line => `${line}\n`).join('');
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
  if (row === undefined) return '';
  const [middle, from, to] = [row.value, row.low, row.high].map(share => (100 * share).toFixed(1));
  return `${middle}% (${from}–${to}%)`;
}

/** RFC 4180. */
function csvField(value: string | number | boolean): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
