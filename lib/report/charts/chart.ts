import type { Specification } from './draw.ts';

/** A chart with its title. */
export interface Chart {
  readonly title: string;
  /** Shown below the title: what is counted and how. */
  readonly note: string;
  /** Pixels of the chart itself. */
  readonly height: number;
  /** Whether it takes a whole row of the page. */
  readonly isWide?: boolean;
  readonly chart: Specification;
}

/** The lengths of bars of `runs`. Each bar shows its number, so an axis would add nothing. */
export function countsOfRuns(bars: readonly { readonly runs: number }[]) {
  const max = Math.max(1, ...bars.map(({ runs }) => runs));
  return quantity('runs', { scale: { domain: [0, max * 1.12], nice: false }, axis: null });
}

/** A channel of numbers, without a title unless `rest` has one. */
export function quantity<Rest extends object>(field: string, rest: Rest) {
  return { field, type: 'quantitative' as const, title: null, ...rest };
}

/** Height of a chart with a fixed number of rows. */
export const DEFAULT_HEIGHT = 240;

/** Height of a chart with one row per item. */
export function heightOfRows(rows: number): number {
  return Math.max(130, rows * 27 + 48);
}

/** The end of an axis of shares that starts at 0: the next round value. */
export function shareLimit(highest: number): number {
  return [0.1, 0.2, 0.5, 0.8].find(limit => highest <= limit * 0.95) ?? 1;
}

export const SHARE_AXIS = { format: '.0%', tickCount: 5 };

/**
 * For amounts from hundredths to millions, labelled as `500` and `15k`, where the library's own format says
 * `0.5k`.
 */
export const AMOUNT_LABELS = "datum.value < 10000 ? format(datum.value, ',~f') : format(datum.value, '.3~s')";
