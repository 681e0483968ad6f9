import type { Run } from '../hooks/use-runs.ts';
import { sharesOf } from './run-shares.ts';

export const runOrders = {
  newest: 'Newest first',
  pass: 'Best pass@1 first',
  solved: 'Most solved first',
  model: 'By model',
  name: 'By file',
} as const;

/** Filter and order of the list of runs. */
export interface RunView {
  /** Words that must all occur in the run's model, dataset, options or file name. */
  readonly text: string;
  readonly order: keyof typeof runOrders;
  /** Whether to list all matching runs, or only the first few. */
  readonly isUnfolded: boolean;
}

export const defaultRunView: RunView = { text: '', order: 'newest', isUnfolded: false };

export function viewed(runs: readonly Run[], { text, order }: Omit<RunView, 'isUnfolded'>): readonly Run[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = runs.filter(({ info }) => {
    const settings = Object.entries(info.settings).map(([name, value]) => `${name} ${value}`);
    const text = `${info.model} ${info.dataset} ${info.name} ${settings.join(' ')}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
  if (order === 'newest') return found;
  if (order === 'model') return found.toSorted((a, b) => a.info.model.localeCompare(b.info.model));
  if (order === 'name') return found.toSorted((a, b) => a.info.name.localeCompare(b.info.name));
  const value = (run: Run) => sharesOf(run)[order === 'pass' ? 'first' : 'solved']?.value ?? -1;
  const values = new Map(found.map(run => [run, value(run)]));
  return found.toSorted((a, b) => (values.get(b) ?? -1) - (values.get(a) ?? -1));
}

/** Number of runs listed at first, so that the tasks stay in view. */
const LISTED_AT_FIRST = 6;

/** The first few, and those whose tasks are shown. */
export function foldedRuns(matching: readonly Run[], shown: readonly Run[]): readonly Run[] {
  const ids = shown.map(({ info }) => info.id);
  return matching.filter(({ info }, index) => index < LISTED_AT_FIRST || ids.includes(info.id));
}
