import type { Specification } from './draw.ts';

/** A chart with the words that stand above it. */
export interface Chart {
  readonly title: string;
  /** What is counted and how, for people who see nothing but the picture. */
  readonly note: string;
  /** Pixels of the chart alone. */
  readonly height: number;
  readonly chart: Specification;
}

/** Enough for a chart whose height says nothing. */
export const USUAL_HEIGHT = 240;

/** Of a chart with a row for each of so many things. */
export function heightOfRows(rows: number): number {
  return Math.max(130, rows * 27 + 48);
}

/** The end of an axis of shares from 0 on: as near as it may come without being odd. */
export function shareLimit(highest: number): number {
  return [0.1, 0.2, 0.5, 0.8].find(limit => highest <= limit * 0.95) ?? 1;
}

export const SHARE_AXIS = { format: '.0%', tickCount: 5 };

/** Of amounts from hundredths to millions, each label by itself: `500`, `1.5k`, where the library says `0.5k`. */
export const AMOUNT_LABELS = "datum.value < 10000 ? format(datum.value, ',~f') : format(datum.value, '.3~s')";
