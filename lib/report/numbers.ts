import { sumOf } from '../core/numbers.ts';

/** Formats numbers for display. */

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

/** `65.9% (55.1–75.2%)`; `label` comes before the interval. */
export function percentWithin({ value, low, high }: Share, label = ''): string {
  return `${percent(value)} (${label}${(100 * low).toFixed(1)}–${percent(high)})`;
}

/** `1,000 tasks`. */
export function plural(count: number, noun: string): string {
  return `${whole(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function whole(count: number): string {
  return Math.round(count).toLocaleString('en');
}

/** A line for each name with its value; names without a value are left out. */
export function namedLines(rows: readonly (readonly [string, string])[]): string {
  const shown = rows.filter(([, value]) => value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('');
}

/** Three digits are enough for comparisons. */
export function short(count: number): string {
  return count.toLocaleString('en', { notation: 'compact', maximumSignificantDigits: 3 });
}

export function duration(seconds: number): string {
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  return seconds < 6000 ? `${(seconds / 60).toFixed(1)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** Start and end of a session, ISO 8601; the end of a killed session is null. */
interface Session {
  readonly started: string;
  readonly ended: string | null;
}

/** Wall-clock seconds of all sessions of a run, excluding killed ones; null if there is no other. */
export function elapsedIn(sessions: readonly Session[]): number | null {
  const whole = sessions.flatMap(({ started, ended }) =>
    ended === null ? [] : [(Date.parse(ended) - Date.parse(started)) / 1000],
  );
  return whole.length === 0 ? null : sumOf(whole, seconds => seconds);
}

/** A share with the bounds of its 95% confidence interval, all in [0, 1]. */
export interface Share {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Wilson's score interval, which is accurate for few trials and for shares near 0 and 1. E. B. Wilson,
 * Probable inference, the law of succession, and statistical inference (1927).
 */
export function wilson(value: number, trials: number): Share {
  const spread = Z ** 2 / trials;
  const centre = (value + spread / 2) / (1 + spread);
  const half = (Z / (1 + spread)) * Math.sqrt((value * (1 - value)) / trials + spread / (4 * trials));
  return {
    value,
    low: value === 0 ? 0 : centre - half,
    high: value === 1 ? 1 : centre + half,
  };
}

/**
 * The mean of the tasks' values, each in [0, 1], with a 95% interval. Runs of one task resemble each other
 * and are not independent trials. Wilson's interval is therefore computed with the effective sample size: the
 * number of independent trials whose mean would have the observed variance, at least the number of tasks and
 * at most the number of runs. If all values are 0 or all are 1, each task counts once. With one run per task
 * this is Wilson's interval itself. Null without tasks.
 * N. Dean and M. Pagano, Evaluating confidence interval methods for binomial proportions in clustered surveys
 * (2015).
 */
export function meanShare(values: readonly number[], runs: number): Share | null {
  const tasks = values.length;
  if (tasks === 0) return null;
  const value = mean(values);
  const spread = value * (1 - value);
  if (spread === 0) return wilson(value, tasks);
  const variance = mean(values.map(of => (of - value) ** 2)) / tasks;
  return wilson(value, Math.min(runs, spread / variance));
}

function mean(values: readonly number[]): number {
  return sumOf(values, value => value) / values.length;
}

/** Standard normal quantile of 0.975. */
export const Z = 1.959963984540054;
