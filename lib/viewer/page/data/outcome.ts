import { plural } from '../../../report/numbers.ts';
import type { Row } from '../../view-data.ts';
import { seconds } from './format.ts';

export type RecordOutcome = 'solved' | 'unsolved' | 'error';

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
