import type { RunRecord } from '../../run/record.ts';
import { type Chart, USUAL_HEIGHT } from './chart.ts';
import type { Theme } from './theme.ts';

/** How many runs were solved by the draft, by the first iteration and so on, and how many by none. */
export function iterationsChart(records: readonly RunRecord[], budget: number, theme: Theme): Chart {
  const judged = records.filter(({ passed }) => passed !== null);
  const bars = [
    ...spansOf(budget).map(({ from, to }) => ({
      name: from === 0 ? 'draft' : from === to ? String(from) : `${from}–${to}`,
      runs: judged.filter(({ passed, iters }) => passed && iters >= from && iters <= to).length,
      color: theme.first,
    })),
    { name: 'not solved', runs: judged.filter(({ passed }) => !passed).length, color: theme.second },
  ];
  const x = {
    field: 'name',
    type: 'nominal' as const,
    sort: null,
    title: budget === 0 ? null : 'repair iterations taken',
    axis: { labelAngle: 0, labelOverlap: false },
  };
  const y = countAxis(Math.max(...bars.map(({ runs }) => runs)), 1.12);
  return {
    title: 'Iterations to solve',
    note: 'Runs by the iteration that solved them.',
    height: USUAL_HEIGHT,
    chart: {
      data: { values: bars },
      layer: [
        {
          mark: { type: 'bar', cornerRadiusEnd: 3, width: 42 },
          encoding: { x, y, color: { field: 'color', type: 'nominal', scale: null, legend: null } },
        },
        {
          mark: { type: 'text', dy: -8, fontWeight: 600 },
          encoding: { x, y, text: { field: 'runs', format: ',d' } },
        },
      ],
    },
  };
}

/** An axis of whole numbers that leaves room above the largest. */
function countAxis(most: number, room: number) {
  return {
    field: 'runs',
    type: 'quantitative' as const,
    title: null,
    scale: { domain: [0, Math.max(1, most * room)], nice: false },
    axis: { format: ',d', tickMinStep: 1, tickCount: 5 },
  };
}

/** As many bars as have room for their names: each iteration its own, or several together. */
function spansOf(budget: number): { readonly from: number; readonly to: number }[] {
  const step = Math.ceil(budget / MOST_BARS);
  const spans = Array.from({ length: budget === 0 ? 0 : Math.ceil(budget / step) }, (_, index) => ({
    from: index * step + 1,
    to: Math.min(budget, (index + 1) * step),
  }));
  return [{ from: 0, to: 0 }, ...spans];
}

const MOST_BARS = 6;
