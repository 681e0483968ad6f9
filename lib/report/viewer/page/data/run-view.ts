import type { Share } from '../../../numbers.ts';
import { groupedByTask, shareWithin, type TaskRuns } from '../../../task-runs.ts';
import type { Row, RunInfo } from '../../view-data.ts';
import type { Run } from '../hooks/use-runs.ts';

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
  const matches = runs.filter(({ info }) => {
    const settings = Object.entries(info.settings).map(([name, value]) => `${name} ${value}`);
    const text = `${info.model} ${info.dataset} ${info.name} ${settings.join(' ')}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
  if (order === 'newest') return matches;
  if (order === 'model') return matches.toSorted((a, b) => a.info.model.localeCompare(b.info.model));
  if (order === 'name') return matches.toSorted((a, b) => a.info.name.localeCompare(b.info.name));
  const value = (run: Run) => sharesOf(run)[order === 'pass' ? 'first' : 'solved']?.value ?? -1;
  const values = new Map(matches.map(run => [run, value(run)]));
  return matches.toSorted((a, b) => (values.get(b) ?? -1) - (values.get(a) ?? -1));
}

/** Number of runs whose tasks are shown at first. */
const SHOWN_AT_FIRST = 3;

/** The newest runs of the newest run's dataset: runs of different tasks have no rows in common. */
export function firstRuns<One extends Pick<Run, 'problem'> & { readonly info: Pick<RunInfo, 'dataset'> }>(
  runs: readonly One[],
): readonly One[] {
  const usable = runs.filter(({ problem }) => problem === null);
  return usable.filter(({ info }) => info.dataset === usable[0]?.info.dataset).slice(0, SHOWN_AT_FIRST);
}

/** Number of runs listed at first, so that the tasks stay in view. */
const LISTED_AT_FIRST = 6;

/** The first few, and those whose tasks are shown. */
export function foldedRuns(matching: readonly Run[], shown: readonly Run[]): readonly Run[] {
  const ids = shown.map(({ info }) => info.id);
  return matching.filter(({ info }, index) => index < LISTED_AT_FIRST || ids.includes(info.id));
}

interface RunShares {
  /** The share without any feedback; null if there is no such answer. */
  readonly first: Share | null;
  /** Within all iterations. */
  readonly solved: Share | null;
}

export function sharesOf({ info, rows, large }: Run): RunShares {
  if (large !== null) return large.totals ?? { first: null, solved: null };
  const tasks = taskRunsOfRows(rows);
  // Without test feedback an agent submits one answer, regardless of the number of iterations.
  const isAided = (info.settings.feedback ?? 'tests') === 'tests';
  const isChosen = rows.some(({ chosen_with }) => chosen_with !== 'nothing');
  const within = isAided ? 0 : Number.POSITIVE_INFINITY;
  return {
    first: isChosen ? null : shareWithin(tasks, within),
    solved: shareWithin(tasks, Number.POSITIVE_INFINITY),
  };
}

export function taskRunsOfRows(rows: readonly Row[]): TaskRuns[] {
  return groupedByTask(
    rows.map(row => ({ ...row, judgedThrough: row.judged_through ?? Number.POSITIVE_INFINITY })),
  );
}

/** Options by which runs differ, the agent first. */
export function differingSettings(infos: readonly Pick<RunInfo, 'settings'>[]): string[] {
  const all = infos.map(({ settings }) => settings).filter(settings => Object.keys(settings).length > 0);
  const names = [...new Set(['agent', ...all.flatMap(settings => Object.keys(settings))])];
  return names.filter(name => new Set(all.map(settings => settings[name])).size > 1);
}

type Named = Pick<RunInfo, 'id' | 'name' | 'model' | 'dataset' | 'agent' | 'settings'>;

/**
 * A name for each run, by id, made of what distinguishes it: model, dataset and options that differ, and the
 * file name if that is not enough.
 */
export function runNames(infos: readonly Named[]): ReadonlyMap<string, string> {
  const differ = (value: (info: Named) => string) => new Set(infos.map(value)).size > 1;
  const settings = differingSettings(infos);
  const nameOf = (info: Named) => {
    const { model, dataset, agent } = info;
    const parts = [
      differ(other => other.model) ? shortModel(model) : '',
      differ(other => other.dataset) ? dataset : '',
      ...settings.map(name => settingWords(name, info.settings[name])),
    ].filter(Boolean);
    return parts.length > 0 ? parts.join(' · ') : `${shortModel(model)} · ${agent}`;
  };
  const names = infos.map(info => [info, nameOf(info)] as const);
  return new Map(
    names.map(([info, name]) => {
      const isAlone = names.filter(([, other]) => other === name).length === 1;
      return [info.id, isAlone ? name : `${name} · ${info.name.replace(/\.jsonl$/, '')}`];
    }),
  );
}

function settingWords(name: string, value: string | undefined): string {
  if (value === undefined) return '';
  return name === 'agent' ? value : `${name} ${value}`;
}

/** Without the publishing organisation. */
function shortModel(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1);
}
