import type { Summary } from '../summary.ts';
import { type Chart, countsOfRuns, heightOfRows } from './chart.ts';
import type { Theme } from './theme.ts';

/** The verdicts on each run's last candidate, most frequent first. */
export function verdictChart({ by_verdict, errors }: Summary, { first, second, rest }: Theme): Chart {
  const values = [
    ...Object.entries(by_verdict)
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, runs]) => ({ name, runs, color: name === 'passed' ? first : second })),
    ...(errors.runs === 0 ? [] : [{ name: 'error, not judged', runs: errors.runs, color: rest }]),
  ];
  const y = { field: 'name', type: 'nominal' as const, title: null, sort: null };
  const x = countsOfRuns(values);
  return {
    title: 'Verdicts',
    note: 'What the tests said of each run’s last candidate.',
    height: heightOfRows(values.length),
    chart: {
      data: { values },
      layer: [
        {
          mark: { type: 'bar', cornerRadiusEnd: 3, height: 20 },
          encoding: { y, x, color: { field: 'color', type: 'nominal', scale: null, legend: null } },
        },
        {
          mark: { type: 'text', align: 'left', dx: 7, fontWeight: 600 },
          encoding: { y, x, text: { field: 'runs', format: ',d' } },
        },
      ],
    },
  };
}
