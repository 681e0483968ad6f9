import { whole } from '../numbers.ts';
import type { Summary } from '../summary.ts';
import { type Chart, heightOfRows, SHARE_AXIS } from './chart.ts';
import type { Theme } from './theme.ts';

/** The share of solved runs by bug type, with confidence intervals. */
export function bugTypeChart({ by_bug_type, samples }: Summary, { first, grid }: Theme): Chart {
  const values = Object.entries(by_bug_type).map(([type, { solved, runs, value, low, high }]) => ({
    name: `${type} (${whole(solved)}/${whole(runs)})`,
    value,
    low,
    high,
  }));
  const y = {
    field: 'name',
    type: 'nominal' as const,
    title: null,
    sort: null,
    axis: { grid: true, gridColor: grid, labelPadding: 14 },
  };
  const x = {
    field: 'value',
    type: 'quantitative' as const,
    title: null,
    scale: { domain: [0, 1] },
    axis: SHARE_AXIS,
  };
  return {
    title: 'Solved by type of bug',
    note: `Solved and all ${samples > 1 ? 'runs' : 'tasks'}, within all iterations. Lines: 95% intervals.`,
    height: heightOfRows(values.length),
    chart: {
      data: { values },
      layer: [
        {
          mark: { type: 'rule', color: first, size: 3, opacity: 0.45, strokeCap: 'round' },
          encoding: { y, x: { ...x, field: 'low' }, x2: { field: 'high' } },
        },
        { mark: { type: 'point', color: first, filled: true, size: 90, opacity: 1 }, encoding: { y, x } },
      ],
    },
  };
}
