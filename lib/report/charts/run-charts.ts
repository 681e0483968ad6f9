import type { RecordFacts } from '../../core/record-facts.ts';
import { whole } from '../numbers.ts';
import type { Summary } from '../summary.ts';
import { type Chart, countsOfRuns, DEFAULT_HEIGHT, heightOfRows, quantity, SHARE_AXIS } from './chart.ts';
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
    note: 'Number of runs solved by the n-th candidate tried.',
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
  const x = quantity('value', { scale: { domain: [0, 1] }, axis: SHARE_AXIS });
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
