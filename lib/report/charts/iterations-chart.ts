import type { RecordFacts } from '../../core/record-facts.ts';
import { type Chart, countsOfRuns, DEFAULT_HEIGHT } from './chart.ts';
import type { Theme } from './theme.ts';

/** The number of runs solved by the draft, by each iteration, and not at all. */
export function iterationsChart(records: readonly RecordFacts[], iterations: number, theme: Theme): Chart {
  return {
    title: 'Iterations to solve',
    note: 'Runs by the iteration that solved them.',
    height: DEFAULT_HEIGHT,
    chart: countsOf(
      records,
      spansOf(iterations),
      ({ iters }) => iters,
      iterations === 0 ? null : 'repair iterations taken',
      theme,
    ),
  };
}

/** For the agent `search`: the number of runs solved by each candidate in the order of trial. */
export function placesChart(records: readonly RecordFacts[], theme: Theme): Chart {
  return {
    title: 'Candidates to solve',
    note: 'Runs by the place of the edit that solved them in the order in which edits were tried.',
    height: DEFAULT_HEIGHT,
    chart: countsOf(records, ranks, ({ search }) => search?.rank ?? 0, 'rank of the candidate', theme),
  };
}

interface Span {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

function countsOf(
  records: readonly RecordFacts[],
  spans: readonly Span[],
  value: (record: RecordFacts) => number,
  title: string | null,
  theme: Theme,
): Chart['chart'] {
  const judged = records.filter(({ passed }) => passed !== null);
  const bars = [
    ...spans.map(({ name, from, to }) => ({
      name,
      runs: judged.filter(record => record.passed && value(record) >= from && value(record) <= to).length,
      color: theme.first,
    })),
    { name: 'not solved', runs: judged.filter(({ passed }) => !passed).length, color: theme.second },
  ];
  const x = {
    field: 'name',
    type: 'nominal' as const,
    sort: null,
    title,
    axis: { labelAngle: 0, labelOverlap: false, domain: true, domainColor: theme.grid },
  };
  const y = countsOfRuns(bars);
  return {
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
  };
}

/** As many bars as there is room for labels: one per iteration, or one for several together. */
function spansOf(iterations: number): Span[] {
  const step = Math.ceil(iterations / MAX_BARS);
  const spans = Array.from({ length: iterations === 0 ? 0 : Math.ceil(iterations / step) }, (_, index) => {
    const [from, to] = [index * step + 1, Math.min(iterations, (index + 1) * step)];
    return { name: from === to ? String(from) : `${from}–${to}`, from, to };
  });
  return [{ name: 'draft', from: 0, to: 0 }, ...spans];
}

const MAX_BARS = 6;

const ranks: readonly Span[] = [
  { name: '1', from: 1, to: 1 },
  { name: '2–10', from: 2, to: 10 },
  { name: '11–100', from: 11, to: 100 },
  { name: '101–1000', from: 101, to: 1000 },
  { name: 'beyond', from: 1001, to: Number.POSITIVE_INFINITY },
];
