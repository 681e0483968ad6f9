import { HefixError } from '../core/errors.ts';
import { longName } from '../options/option.ts';
import { resultOptions } from '../options/tables/run-options.ts';
import { scoreOptions } from '../options/tables/score-options.ts';
import { reportPicture } from '../report/pages/report-picture.ts';
import { type RunPages, runPages } from '../report/pages/run-page.ts';
import { summaryText } from '../report/summary-text.ts';
import type { Manifest } from '../results/manifest.ts';
import type { RunFacts } from '../results/read-facts.ts';
import type { RunDetails, RunReport } from './view-data.ts';

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

/**
 * A run's results as charts and text.
 * @throws HefixError (`RENDERER_MISSING`)
 */
export async function runReport(results: RunFacts): Promise<RunReport> {
  const pages = runPages(results);
  return { ...inWords(pages), picture: await reportPicture(pages), problem: null };
}

/** The same, without charts if the chart packages are not installed. */
export async function runReportOrWords(results: RunFacts): Promise<RunReport> {
  return await runReport(results).catch(error => {
    if (!(error instanceof HefixError)) throw error;
    return { ...inWords(runPages(results)), picture: null, problem: `${error.message} ${error.hint}` };
  });
}

function inWords({ summary, page }: RunPages): Pick<RunReport, 'words' | 'warnings'> {
  return { words: summaryText(summary), warnings: page('light').warnings };
}
