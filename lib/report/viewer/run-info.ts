import { createHash } from 'node:crypto';
import { agentLabel } from '../../core/choices.ts';
import { HefixError } from '../../core/errors.ts';
import { longName } from '../../options/option.ts';
import { resultOptions } from '../../options/tables/run-options.ts';
import { scoreOptions } from '../../options/tables/score-options.ts';
import { reportPicture } from '../pages/pictures.ts';
import { runPages } from '../pages/run-page.ts';
import type { RunFacts } from '../results/fact-reader.ts';
import type { FoundRun } from '../results/manifest.ts';
import { type Manifest, manifestPath, readManifest } from '../results/manifest.ts';
import { summaryText } from '../summary-text.ts';
import type { RunDetails, RunInfo, RunReport } from './view-data.ts';

/** What the manifest says about a run; an unusable manifest affects only that run. */
export async function readRunInfo(run: FoundRun): Promise<RunInfo> {
  try {
    return runInfo(run, await readManifest(manifestPath(run.path)));
  } catch (error) {
    if (!(error instanceof HefixError)) throw error;
    const unknown = { model: '', dataset: '', agent: '', settings: {}, started: null, planned: null };
    return { id: runId(run.path), name: run.name, ...unknown, problem: error.message };
  }
}

export function runInfo({ path, name }: FoundRun, manifest: Manifest): RunInfo {
  const { model, dataset, options, sessions, isolation, planned } = manifest;
  // Runs that only scored samples have no agent, prompts or sampling.
  const keys = manifest.scored ? resultOptions.filter(key => key in scoreOptions) : resultOptions;
  const decisive = keys.map(key => [key, options[key]] as const);
  const others = [
    ['samples', options.samples],
    ['timeout', options.timeout],
    ['isolation', isolation],
  ] as const;
  const decided = [...decisive, ...others].filter(([, value]) => value !== undefined);
  return {
    id: runId(path),
    name,
    model: model.name,
    dataset: dataset.name,
    agent: agentLabel(manifest),
    settings: Object.fromEntries(decided.map(([key, value]) => [nameOf(key), String(value)])),
    started: sessions.at(-1)?.started ?? null,
    planned: planned ?? null,
    problem: null,
  };
}

/** As on the command line: `max-new-tokens`. */
function nameOf(option: string): string {
  return longName(option).slice('--'.length);
}

/** Replaces the path in URLs, so that a request cannot name another file. */
export function runId(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12);
}

export function newestFirst(runs: readonly RunInfo[]): RunInfo[] {
  return runs.toSorted(
    (a, b) => (b.started ?? '').localeCompare(a.started ?? '') || a.name.localeCompare(b.name),
  );
}

/** A run's options and its manifest. */
export function runDetails(manifest: Manifest): RunDetails {
  const decisive: readonly string[] = resultOptions;
  const ofScoring = ([key]: readonly [string, unknown]): boolean => key in scoreOptions;
  const options = Object.entries(manifest.options);
  return {
    options: (manifest.scored ? options.filter(ofScoring) : options).map(([key, value]) => ({
      name: longName(key),
      value: value === undefined ? '' : String(value),
      decidesResults: decisive.includes(key),
    })),
    resolved: Object.fromEntries(
      Object.entries(manifest.resolved ?? {}).map(([name, value]) => [name, String(value ?? 'none')]),
    ),
    manifest: JSON.stringify(manifest, null, 2),
  };
}

/** A run's results as charts and text. */
export async function runReport(results: RunFacts): Promise<RunReport> {
  const pages = runPages(results);
  return {
    words: summaryText(pages.summary),
    warnings: pages.page('light').warnings,
    picture: await reportPicture(pages),
  };
}
