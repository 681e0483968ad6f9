import { sumOf } from '../core/numbers.ts';
import type { Share } from './interval.ts';

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
