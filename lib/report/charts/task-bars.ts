import { sumOf } from '../../core/numbers.ts';
import type { RecordFacts } from '../../core/record-facts.ts';
import { printable } from '../../core/text.ts';
import { AMOUNT_LABELS, type Chart, DEFAULT_HEIGHT } from './chart.ts';
import type { Theme } from './theme.ts';

/** A task's id and its judged runs. */
export type TaskRecords = readonly [string, readonly RecordFacts[]];

/** With more tasks than this, bars are thinner than two pixels. */
export const MAX_BARS = 500;

/** One bar for each task, in the order of the dataset, coloured by its outcome. */
export function taskBars(
  tasks: readonly TaskRecords[],
  { first, second, rest }: Theme,
  {
    title,
    axis,
    total,
  }: { readonly title: string; readonly axis: string; readonly total: (record: RecordFacts) => number },
): Chart {
  const { prefix, numbers } = numbered(tasks.map(([task]) => task));
  const values = tasks.map(([task, runs], index) => ({
    place: numbers[index] ?? index,
    task: printable(task),
    value: sumOf(runs, total) / runs.length,
    outcome: shareOf(runs),
  }));
  const isPartly = values.some(({ outcome }) => outcome === PARTLY);
  const isMean = tasks.some(([, runs]) => runs.length > 1);
  return {
    title,
    note: `Each bar is a task, in the order of the dataset, from ${values[0]?.task} to ${values.at(-1)?.task}.${isMean ? ' Mean of its samples.' : ''}`,
    height: DEFAULT_HEIGHT,
    isWide: true,
    chart: {
      data: { values },
      mark: { type: 'bar' },
      encoding: {
        x: {
          field: 'place',
          type: 'ordinal',
          sort: null,
          title: `task ${printable(prefix)}…`.replace(' …', ''),
          axis: { values: placesShown(numbers), labelAngle: 0, labelOverlap: 'greedy' },
          scale: { paddingInner: tasks.length > 250 ? 0 : 0.2, paddingOuter: 0 },
        },
        y: {
          field: 'value',
          type: 'quantitative',
          title: axis,
          axis: { tickCount: 5, labelExpr: AMOUNT_LABELS },
          // An axis with only zeros would have no end.
          scale: { domainMin: 0, ...(values.some(({ value }) => value > 0) ? {} : { domainMax: 1 }) },
        },
        color: {
          field: 'outcome',
          type: 'nominal',
          sort: null,
          scale: isPartly
            ? { domain: [SOLVED, PARTLY, UNSOLVED], range: [first, rest, second] }
            : { domain: [SOLVED, UNSOLVED], range: [first, second] },
        },
      },
    },
  };
}

/** `solved`, `not solved`, or for several samples `2 of 5 solved`. */
export function outcomeOf(runs: readonly RecordFacts[]): string {
  const solved = runs.filter(({ passed }) => passed).length;
  return runs.length === 1 ? shareOf(runs) : `${solved} of ${runs.length} solved`;
}

function shareOf(runs: readonly RecordFacts[]): string {
  if (runs.every(({ passed }) => passed)) return SOLVED;
  return runs.some(({ passed }) => passed) ? PARTLY : UNSOLVED;
}

const SOLVED = 'solved';
const PARTLY = 'some samples solved';
const UNSOLVED = 'not solved';

/** The numbers with which ids such as `Python/7` end; if they have none, the tasks are counted. */
function numbered(ids: readonly string[]): { readonly prefix: string; readonly numbers: readonly number[] } {
  const parts = ids.map(id => /^(.*?)(0|[1-9]\d{0,5})$/.exec(id));
  const prefix = parts[0]?.[1] ?? '';
  const isCommon = parts.every(part => part !== null && part[1] === prefix);
  if (!isCommon || prefix.length > MAX_PREFIX)
    return { prefix: '', numbers: ids.map((_, index) => index + 1) };
  return { prefix, numbers: parts.map(part => Number(part?.[2])) };
}

/** Characters; a longer one would not fit below a chart on a phone. */
const MAX_PREFIX = 40;

/** The first task and every tenth, or fewer of many. */
function placesShown(numbers: readonly number[]): number[] {
  const step = numbers.length > 200 ? 50 : 10;
  return numbers.filter((number, index) => index === 0 || number % step === 0);
}
