import { isPassAtK, type SweepRow } from '../sweep.ts';
import { AMOUNT_LABELS, type Chart, quantity, SHARE_AXIS, shareLimit } from './chart.ts';
import type { Theme } from './theme.ts';

/** The results of each setting by allowed iterations and by tokens used. @param width pixels of a chart */
export function sweepCharts(rows: readonly SweepRow[], theme: Theme, width: number): Chart[] {
  const ks = [...new Set(rows.map(({ k }) => k))];
  const shown = ks.length > 3 ? [Math.min(...ks), Math.max(...ks)] : ks;
  const one = rows.filter(({ k }) => k === shown[0]);
  return [
    ...shown.map(k =>
      settingsChart(
        rows.filter(row => row.k === k),
        theme,
        width,
        {
          title: solvedName(k, 'within so many iterations'),
          note: `${noteOn(rows.filter(row => row.k === k))}Whiskers: 95% intervals.`,
          axis: 'repair iterations',
          of: ({ iterations }) => iterations,
          whole: true,
        },
      ),
    ),
    settingsChart(one, theme, width, {
      title: solvedName(shown[0] ?? 1, 'by completion tokens'),
      note: 'Mean tokens of a run until it was solved or its iterations were spent.',
      axis: 'completion tokens a run',
      of: row => row.completion_tokens_per_run,
      whole: false,
    }),
    settingsChart(one, theme, width, {
      title: solvedName(shown[0] ?? 1, 'by time'),
      note: 'Mean seconds of model and tests in a run until it was solved or its iterations were spent.',
      axis: 'seconds a run',
      of: row => row.seconds_per_run,
      whole: false,
    }),
  ];
}

function solvedName(k: number, by: string): string {
  return k === 1 ? `Solved ${by}` : `Solved by any of ${k} samples, ${by}`;
}

/** Says which of the points are pass@k, and what the others are. */
function noteOn(rows: readonly SweepRow[]): string {
  const chosen = rows.filter(({ chosen_with }) => (chosen_with ?? 'nothing') !== 'nothing');
  const firsts = rows.filter(({ iterations }) => iterations === 0);
  const passing = firsts.filter(isPassAtK).length;
  const where = passing < firsts.length ? ' where nothing was run before' : '';
  return [
    ...(passing > 0 ? [`Iteration 0 is pass@${rows[0]?.k ?? 1}${where}. `] : []),
    ...(rows.some(({ with_test_feedback: aided, iterations }) => aided && iterations > 0)
      ? ['Later ones saw the tests fail. ']
      : []),
    ...(chosen.length === 0
      ? []
      : [
          `First candidates ${chosen.length < rows.length ? 'of some ' : ''}were tried on ${chosen.some(({ chosen_with }) => chosen_with === 'tests') ? 'the hidden tests' : 'examples'} before. `,
        ]),
  ].join('');
}

interface Across {
  readonly title: string;
  readonly note: string;
  readonly axis: string;
  readonly of: (row: SweepRow) => number;
  /** A discrete scale: all settings have the same few values. */
  readonly whole: boolean;
}

/** All settings in one plot while their colours can be distinguished, otherwise a small plot for each. */
function settingsChart(rows: readonly SweepRow[], theme: Theme, width: number, across: Across): Chart {
  const { title, note, of, whole } = across;
  const nameOf = namesIn(rows);
  const values = rows.map(row => ({
    setting: nameOf(row),
    at: of(row),
    value: row.value,
    low: row.low,
    high: row.high,
  }));
  const settings = [...new Set(values.map(({ setting }) => setting))];
  const longest = Math.max(0, ...settings.map(setting => setting.length));
  const plot = plotOf(across, values, settings, theme, legendColumns(settings.length, longest, width));
  if (settings.length <= theme.series.length) {
    const placed = whole ? values.map(withoutOverlap(settings)) : values;
    return { title, note, height: 340, chart: { data: { values: placed }, ...plot } };
  }
  const most = longest > 34 ? 2 : 4;
  const columns = Math.max(1, Math.min(most, Math.floor(width / MIN_PLOT)));
  return {
    title,
    note,
    height: 0,
    chart: {
      data: { values },
      facet: { field: 'setting', type: 'nominal', sort: settings, title: null },
      columns,
      spacing: { row: 28, column: GAP },
      spec: { width: Math.floor((width - SCALE + GAP) / columns) - GAP, height: 150, ...plot },
    },
  };
}

/** In pixels: the least width of one of several plots, the gap between two, and the labels of the scale. */
const MIN_PLOT = 240;
const GAP = 34;
const SCALE = 48;

/** Offsets the points of one iteration slightly, so that their error bars do not overlap. */
function withoutOverlap(settings: readonly string[]) {
  const middle = (settings.length - 1) / 2;
  return <V extends Value & { readonly setting: string }>(value: V): V => ({
    ...value,
    at: value.at + (settings.indexOf(value.setting) - middle) * APART,
  });
}

/** In iterations. */
const APART = 0.03;

/** All rows are equally long; a letter is about 7 pixels wide, a symbol with its margins 40. */
function legendColumns(settings: number, longest: number, width: number): number {
  const max = Math.max(1, Math.floor(width / (longest * 7 + 40)));
  return Math.ceil(settings / Math.ceil(settings / max));
}

/**
 * From before the first to after the last iteration, so that both have a tick even if few settings go that
 * far.
 */
function aroundAll(values: readonly Value[], settings: number): [number, number] {
  const iterations = values.map(({ at }) => Math.round(at));
  const margin = Math.max(0.05, (settings / 2) * APART);
  return [
    iterations.reduce((min, iteration) => Math.min(min, iteration), Number.POSITIVE_INFINITY) - margin,
    iterations.reduce((max, iteration) => Math.max(max, iteration), 0) + margin,
  ];
}

interface Value {
  readonly at: number;
  readonly high: number;
}

function plotOf(
  { axis, whole }: Across,
  values: readonly Value[],
  settings: readonly string[],
  theme: Theme,
  columns: number,
) {
  const few = settings.length <= theme.series.length;
  const x = quantity('at', {
    title: axis,
    scale: whole ? { domain: aroundAll(values, settings.length), nice: false } : { zero: true, nice: true },
    axis: {
      grid: false,
      tickCount: few ? 10 : 5,
      ...(whole ? { tickMinStep: 1, format: 'd' } : { labelExpr: AMOUNT_LABELS }),
    },
  });
  const y = quantity('value', {
    scale: { domain: [0, shareLimit(Math.max(0, ...values.map(({ high }) => high)))] },
    axis: SHARE_AXIS,
  });
  const setting = { field: 'setting', type: 'nominal' as const, sort: null };
  const color = few
    ? {
        color: {
          ...setting,
          scale: { domain: [...settings], range: theme.series.slice(0, settings.length) },
          legend: { columns },
        },
      }
    : { color: { value: theme.first } };
  // Shapes in addition to colours, for readers who cannot tell the colours apart.
  const shape = few ? { shape: { ...setting, scale: { domain: [...settings], range: shapes } } } : {};
  return {
    layer: [
      {
        mark: { type: 'rule' as const, size: 1.5, opacity: 0.4 },
        encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' }, ...color },
      },
      { mark: { type: 'line' as const, strokeWidth: 2 }, encoding: { x, y, ...color } },
      {
        mark: { type: 'point' as const, filled: true, size: 70, opacity: 1 },
        encoding: { x, y, ...color, ...shape },
      },
    ],
  };
}

const shapes = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down'];

/** `reflect, temperature 0.4`: what all settings share is left out. */
function namesIn(rows: readonly SweepRow[]): (row: SweepRow) => string {
  const options = [...new Set(rows.flatMap(({ settings }) => Object.keys(settings)))];
  const apart = options.filter(option => new Set(rows.map(({ settings }) => settings[option])).size > 1);
  const named = apart.length === 0 ? options : apart;
  return ({ settings }) =>
    named
      .flatMap(option => {
        const value = settings[option];
        if (value === undefined) return [];
        return option === 'agent' ? String(value) : `${option} ${value}`;
      })
      .join(', ');
}
