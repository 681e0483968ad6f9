import type { ThemeName } from '../../core/choices.ts';
import { chartWidth, type Page, type PageSize } from '../charts/page.ts';
import { sweepCharts } from '../charts/sweep-charts.ts';
import { themes } from '../charts/theme.ts';
import { plural } from '../numbers.ts';
import type { SweepRow } from '../sweep-rows.ts';

export interface SweepFigures {
  readonly model: string;
  readonly dataset: string;
  readonly rows: readonly SweepRow[];
}

/** All settings of a sweep on one page of charts. */
export function sweepPage(
  { model, dataset, rows }: SweepFigures,
  theme: ThemeName,
  size: PageSize = 'wide',
): Page {
  const agents = [...new Set(rows.flatMap(row => row.settings.agent ?? []))];
  const settings = new Set(rows.map(row => JSON.stringify(row.settings))).size;
  const tasks = Math.max(0, ...rows.map(row => row.tasks));
  const samples = Math.max(1, ...rows.map(({ k }) => k));
  return {
    heading: `${model} on ${dataset}`,
    details: [
      `sweep of ${plural(settings, 'setting')}`,
      `${agents.length === 1 ? 'agent' : 'agents'} ${agents.join(', ')}`,
      plural(tasks, 'task'),
      `${plural(samples, 'sample')} of each`,
    ].join(' · '),
    tiles: [],
    columns: 1,
    charts: rows.length === 0 ? [] : sweepCharts(rows, themes[theme], chartWidth(size)),
    warnings: [],
  };
}
