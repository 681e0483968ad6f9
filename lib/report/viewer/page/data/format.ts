import { plural } from '../../../numbers.ts';
import type { Row } from '../../view-data.ts';

/** Formats figures for display. */

export function seconds(value: number): string {
  if (value >= 3600) return `${(value / 3600).toFixed(1)} h`;
  if (value >= 100) return `${(value / 60).toFixed(1)} min`;
  return value >= 10 ? `${value.toFixed(1)} s` : `${value.toFixed(2)} s`;
}

export function count(value: number): string {
  if (value >= 1_000_000) return `${(value / 1_000_000).toFixed(2)}M`;
  return value >= 10_000 ? `${(value / 1000).toFixed(1)}k` : value.toLocaleString('en-US');
}

/** `2026-11-21 05:54`, in the reader's time zone. */
export function dateTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

type RecordOutcome = 'solved' | 'unsolved' | 'error';

export function outcomeOf(passed: boolean | null): RecordOutcome {
  if (passed === null) return 'error';
  return passed ? 'solved' : 'unsolved';
}

/** Signs that distinguish outcomes without colours. */
export const OUTCOME_SIGNS: Readonly<Record<RecordOutcome, string>> = {
  solved: '✓',
  unsolved: '×',
  error: '!',
};

export function outcomeWords({ sample, passed, verdict, error, search, iters, runtime_sec }: Row): string {
  const how = search === null ? `after ${plural(iters, 'repair')}` : 'by search';
  const after = `${how}, ${seconds(runtime_sec)}`;
  if (passed === null) return `sample ${sample}: error ${error ?? ''}, ${after}`;
  return `sample ${sample}: ${passed ? 'solved' : `not solved (${verdict ?? 'no verdict'})`} ${after}`;
}
