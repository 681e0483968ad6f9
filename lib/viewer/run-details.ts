import { HefixError } from '../core/errors.ts';
import { longName } from '../options/option.ts';
import { resultOptions } from '../options/run-options.ts';
import { scoreOptions } from '../options/score-options.ts';
import { reportPicture } from '../report/report-picture.ts';
import { runPage, summaryOf } from '../report/run-page.ts';
import { summaryText } from '../report/summary-text.ts';
import type { Manifest } from '../results/manifest.ts';
import type { Results } from '../results/read-results.ts';
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
export async function runReport(results: Results): Promise<RunReport> {
  return { ...inWords(results), picture: await reportPicture(results), problem: null };
}

/** The same, without charts if the chart packages are not installed. */
export async function runReportOrWords(results: Results): Promise<RunReport> {
  return await runReport(results).catch(error => {
    if (!(error instanceof HefixError)) throw error;
    return { ...inWords(results), picture: null, problem: `${error.message} ${error.hint}` };
  });
}

function inWords(results: Results): Pick<RunReport, 'words' | 'warnings'> {
  return { words: summaryText(summaryOf(results)), warnings: runPage(results, 'light').warnings };
}
