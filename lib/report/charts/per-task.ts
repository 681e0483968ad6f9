import { sumOf } from '../../core/numbers.ts';
import type { RecordFacts } from '../../core/record-facts.ts';
import { printable } from '../../core/text.ts';
import { AMOUNT_LABELS, type Chart, DEFAULT_HEIGHT } from './chart.ts';
import { MAX_BARS, outcomeOf, type TaskRecords, taskBars } from './task-bars.ts';
import type { Theme } from './theme.ts';

const MAX_NAME_LINES = 4;
/** Longer lines would leave little room for the bars. */
const LINE_LETTERS = 26;
/** Up to and including a separator, and parts of what is too long for a line. */
const WORDS = new RegExp(`[^/:_. -]{0,${LINE_LETTERS - 1}}[/:_. -]|[^/:_. -]{1,${LINE_LETTERS}}`, 'gu');

/**
 * Tokens and time per task: each task with its parts if there are few, each task as a bar for as many as a benchmark
 * has, otherwise the distribution over all runs.
 */
export function runtimeChart(records: readonly RecordFacts[], theme: Theme): Chart {
  return perTask(records, theme, {
    title: 'Runtime per task',
    note: 'Seconds of the model, of the tests, and of everything else.',
    axis: 'seconds',
    total: record => record.runtime_sec,
    parts: [
      ['model', ({ timings_sec }) => timings_sec.proposal + timings_sec.reflection],
      ['tests', ({ timings_sec }) => timings_sec.execution],
      ['rest', restOf],
    ],
  });
}

export function tokensChart(records: readonly RecordFacts[], theme: Theme): Chart {
  return perTask(records, theme, {
    title: 'Tokens per task',
    note: 'Tokens of prompts and of completions.',
    axis: 'tokens',
    total: ({ token_usage }) => token_usage.prompt + token_usage.completion,
    parts: [
      ['prompt', ({ token_usage }) => token_usage.prompt],
      ['completion', ({ token_usage }) => token_usage.completion],
    ],
  });
}

interface Measure {
  readonly title: string;
  /** What the parts of a bar are. */
  readonly note: string;
  readonly axis: string;
  readonly total: (record: RecordFacts) => number;
  readonly parts: readonly (readonly [string, (record: RecordFacts) => number])[];
}

/**
 * Waiting for the sandbox and the gaps between; clamped, since clocks are not exact enough to rule out
 * negative values.
 */
function restOf({ runtime_sec, timings_sec }: RecordFacts): number {
  return Math.max(0, runtime_sec - timings_sec.proposal - timings_sec.execution - timings_sec.reflection);
}

function perTask(records: readonly RecordFacts[], theme: Theme, measure: Measure): Chart {
  const judged = records.filter(({ passed }) => passed !== null);
  const byTask = new Map<string, RecordFacts[]>();
  for (const record of judged) {
    const group = byTask.get(record.task_id);
    if (group !== undefined) group.push(record);
    else if (byTask.size === MAX_BARS) return spread(judged, theme, measure);
    else byTask.set(record.task_id, [record]);
  }
  const groups = [...byTask].sort(([, [a]], [, [b]]) => (a?.index ?? 0) - (b?.index ?? 0));
  return groups.length > MAX_ROWS ? taskBars(groups, theme, measure) : rows(groups, theme, measure);
}

/** With more tasks than this, bars are too thin for labels. */
const MAX_ROWS = 20;

function rows(groups: readonly TaskRecords[], { first, second, rest }: Theme, measure: Measure): Chart {
  const broken = groups.map(([task, runs]) => `${wrappedName(printable(task))}\n${outcomeOf(runs)}`);
  // Two bars with the same name would be added up.
  const names = broken.map((name, index) =>
    broken.indexOf(name) === index ? name : `${name} (${index + 1})`,
  );
  const lines = Math.max(1, ...names.map(name => name.split('\n').length));
  const values = groups.flatMap(([, runs], index) =>
    measure.parts.map(([part, of], place) => ({
      task: names[index] ?? '',
      part,
      place,
      value: sumOf(runs, of) / runs.length,
    })),
  );
  return {
    title: measure.title,
    note: groups.some(([, runs]) => runs.length > 1) ? 'Mean of a task’s samples.' : measure.note,
    height: Math.max(150, groups.length * (10 + lines * LINE) + 76),
    chart: {
      data: { values },
      mark: { type: 'bar', height: 16 },
      encoding: {
        y: { field: 'task', type: 'nominal', sort: null, title: null, axis: nameAxis },
        x: {
          field: 'value',
          type: 'quantitative',
          title: measure.axis,
          axis: { tickCount: 5, labelExpr: AMOUNT_LABELS },
          // An axis with only zeros would have no end.
          scale: { domainMin: 0, ...(values.some(({ value }) => value > 0) ? {} : { domainMax: 1 }) },
        },
        color: {
          field: 'part',
          type: 'nominal',
          sort: null,
          scale: {
            domain: measure.parts.map(([part]) => part),
            range: [first, second, rest].slice(0, measure.parts.length),
          },
        },
        order: { field: 'place', type: 'quantitative' },
      },
    },
  };
}

/** Pixels from one line of a name to the next. */
const LINE = 14;

/** The library aligns the first line of a label with the bar; all of them together are centred. */
const nameAxis = {
  labelExpr: "split(datum.label, '\\n')",
  labelLineHeight: LINE,
  labelOffset: {
    condition: Array.from({ length: MAX_NAME_LINES }, (_, more) => ({
      test: `length(split(datum.label, '\\n')) == ${more + 2}`,
      value: (-LINE / 2) * (more + 1),
    })),
    value: 0,
  },
};

function spread(judged: readonly RecordFacts[], { first, second }: Theme, measure: Measure): Chart {
  const values = countedValues(judged, measure);
  return {
    title: measure.title,
    note: `How many runs took how many ${measure.axis}.`,
    height: DEFAULT_HEIGHT,
    chart: {
      data: { values },
      transform: [
        { bin: { maxbins: 30 }, field: 'value', as: ['from', 'to'] },
        {
          aggregate: [{ op: 'sum', field: 'count', as: 'runs' }],
          groupby: ['from', 'to', 'outcome', 'place'],
        },
        { stack: 'runs', groupby: ['from'], sort: [{ field: 'place' }], as: ['low', 'high'] },
      ],
      mark: { type: 'bar', xOffset: 0.5, x2Offset: -0.5 },
      encoding: {
        x: {
          field: 'from',
          type: 'quantitative',
          title: measure.axis,
          scale: { zero: false, nice: false },
          axis: { grid: false, tickCount: 6, labelExpr: AMOUNT_LABELS },
        },
        x2: { field: 'to' },
        y: {
          field: 'low',
          type: 'quantitative',
          title: null,
          scale: { zero: true },
          axis: { format: ',d', tickMinStep: 1, tickCount: 5 },
        },
        y2: { field: 'high' },
        color: {
          field: 'outcome',
          type: 'nominal',
          sort: null,
          scale: { domain: ['solved', 'not solved'], range: [first, second] },
        },
      },
    },
  };
}

/** The values with the number of runs that have them; many are rounded first, to thousandths of the highest. */
function countedValues(judged: readonly RecordFacts[], measure: Measure) {
  const totals = judged.map(measure.total);
  const highest = totals.reduce((max, value) => Math.max(max, value), 0);
  const step = judged.length > MAX_VALUES ? highest / 1000 : 0;
  const counts = new Map<string, { value: number; outcome: string; place: number; count: number }>();
  for (const [index, total] of totals.entries()) {
    const value = step > 0 ? Math.round(total / step) * step : total;
    const passed = judged[index]?.passed === true;
    const key = `${value} ${passed}`;
    const entry = counts.get(key);
    if (entry !== undefined) entry.count++;
    else
      counts.set(key, {
        value,
        outcome: passed ? 'solved' : 'not solved',
        place: passed ? 0 : 1,
        count: 1,
      });
  }
  return [...counts.values()];
}

/** More than this make no visible difference in a chart of 30 bars. */
const MAX_VALUES = 10_000;

/**
 * Breaks a long name, such as a task's id, into lines, after a separator where possible. Names of more than
 * `MAX_NAME_LINES` lines lose their middle.
 */
function wrappedName(name: string): string {
  const lines: string[] = [];
  for (const word of name.match(WORDS) ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && lengthOf(last) + lengthOf(word) <= LINE_LETTERS)
      lines[lines.length - 1] += word;
    else lines.push(word);
  }
  if (lines.length <= MAX_NAME_LINES) return lines.join('\n');
  const half = MAX_NAME_LINES / 2;
  return [...lines.slice(0, half - 1), `${lines[half - 1]}…`, ...lines.slice(-half)].join('\n');
}

function lengthOf(text: string): number {
  return [...text].length;
}
