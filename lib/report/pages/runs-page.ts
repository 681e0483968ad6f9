import { basename } from 'node:path';
import type { ThemeName } from '../../core/choices.ts';
import { chartWidth, type Page, type PageSize } from '../charts/page.ts';
import { sweepCharts } from '../charts/sweep-charts.ts';
import { themes } from '../charts/theme.ts';
import { plural } from '../numbers.ts';
import type { RunFacts } from '../results/fact-reader.ts';
import { differingSettings } from '../results/run-settings.ts';
import { type SweepRow, sweepRows } from '../sweep.ts';

/** Compares several runs: solved tasks by iterations, by tokens and by time. */
export function runsPage(all: readonly RunFacts[], theme: ThemeName, size: PageSize = 'wide'): Page {
  const shared = withSharedTasks(all);
  const rows = runRows(shared);
  const isCut = shared.some(({ records }, index) => records.length < (all[index]?.records.length ?? 0));
  const datasets = [...new Set(all.map(({ manifest }) => manifest.dataset.name))];
  const prints = new Set(all.map(({ manifest }) => manifest.dataset.fingerprint));
  return {
    heading: `${plural(all.length, 'run')} on ${datasets.join(', ')}`,
    details: all
      .map(({ path, records }) => `${nameOf(path)}: ${plural(records.length, 'record')}`)
      .join(' · '),
    tiles: [],
    columns: 1,
    charts: rows.length === 0 ? [] : sweepCharts(rows, themes[theme], chartWidth(size)),
    warnings: [
      ...(isCut
        ? ['Some tasks are not in all runs: only those that all have are drawn.']
        : prints.size > 1
          ? ['The runs have different tasks: their shares cannot be compared.']
          : []),
      ...all
        .filter(({ inProgress }) => inProgress)
        .map(({ path }) => `${nameOf(path)} is in progress; its records so far are drawn.`),
    ],
  };
}

/** Each run with the tasks that all have, as `compare` takes them; with all of its tasks if they share none. */
function withSharedTasks(all: readonly RunFacts[]): readonly RunFacts[] {
  const tasks = all.map(({ records }) => new Set(records.map(({ task_id }) => task_id)));
  const isShared = (id: string) => tasks.every(ids => ids.has(id));
  if (![...(tasks[0] ?? [])].some(isShared)) return all;
  return all.map(run => ({ ...run, records: run.records.filter(({ task_id }) => isShared(task_id)) }));
}

/** Names each run by what distinguishes it: model, agent and options, and its file name if these are the same. */
export function runRows(all: readonly RunFacts[]): SweepRow[] {
  const settings = differingSettings(all.map(({ manifest }) => manifest));
  const isUnique = new Set(settings.map(one => JSON.stringify(one))).size === all.length;
  return all.flatMap(({ path, records, manifest: { options } }, index) => {
    const highest = records.reduce((max, { iters }) => Math.max(max, iters), 0);
    const longest = options.iters ?? highest;
    const isAided = records.some(({ feedback }) => feedback === 'tests');
    const iterations = isAided ? Array.from({ length: longest + 1 }, (_, count) => count) : [longest];
    const named = { ...settings[index], ...(isUnique ? {} : { file: nameOf(path) }) };
    return sweepRows({ settings: named, records, iterations });
  });
}

function nameOf(path: string): string {
  return basename(path, '.jsonl');
}

interface SweepFigures {
  readonly model: string;
  readonly dataset: string;
  readonly rows: readonly SweepRow[];
}

/** All settings of a sweep on one page of charts. */
export function sweepPage(
  { model, dataset, rows }: SweepFigures,
  theme: ThemeName,
  size: PageSize = 'wide',
): Page {
  const agents = [...new Set(rows.flatMap(row => row.settings.agent ?? []))];
  const settings = new Set(rows.map(row => JSON.stringify(row.settings))).size;
  const tasks = Math.max(0, ...rows.map(row => row.tasks));
  const samples = Math.max(1, ...rows.map(({ k }) => k));
  return {
    heading: `${model} on ${dataset}`,
    details: [
      `sweep of ${plural(settings, 'setting')}`,
      `${agents.length === 1 ? 'agent' : 'agents'} ${agents.join(', ')}`,
      plural(tasks, 'task'),
      `${plural(samples, 'sample')} of each`,
    ].join(' · '),
    tiles: [],
    columns: 1,
    charts: rows.length === 0 ? [] : sweepCharts(rows, themes[theme], chartWidth(size)),
    warnings: [],
  };
}
