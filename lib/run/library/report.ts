import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ThemeName } from '../../core/choices.ts';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { outNotWritable } from '../../files/errors.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import type { ReportOptions } from '../../options/tables/command-options.ts';
import { drawPage, paintPage } from '../../report/charts/page.ts';
import { picturePage } from '../../report/pages/pictures.ts';
import { runPage, runPages } from '../../report/pages/run-page.ts';
import { runsPage } from '../../report/pages/runs-page.ts';
import { inProgressWarning, type RunFacts, readFacts } from '../../report/results/fact-reader.ts';
import { type Results, readResults } from '../../report/results/read-results.ts';
import { oneFilePage } from '../../report/viewer/one-file-page.ts';

export interface Report {
  readonly records: string;
  /** The path of the file written. */
  readonly report: string;
  readonly count: number;
  /** Whole sentences. */
  readonly warnings: readonly string[];
}

/** Draws the report of a results file. Rejects with the HefixErrors of reading and of writing. */
export async function report(path: string, { out, theme }: ReportOptions): Promise<Report> {
  const results = await readFacts(path);
  const to = out ?? reportPath(path, 'html');
  await writeReport(results, to, theme);
  return {
    records: path,
    report: to,
    count: results.records.length,
    warnings: results.inProgress ? [inProgressWarning(results)] : [],
  };
}

/**
 * Draws several results files in the same pictures. Rejects with the HefixErrors of reading and of writing.
 */
export async function reportRuns(paths: readonly string[], { out, theme }: ReportOptions): Promise<Report> {
  const all: RunFacts[] = [];
  for (const path of paths) all.push(await readFacts(path));
  const to = out ?? join(dirname(paths[0] ?? ''), 'runs.report.html');
  await ensureFolderOf(to);
  const svg = async () => await drawPage(runsPage(all, theme), theme);
  if (to.endsWith('.html'))
    await writeFileAtomic(to, await picturePage((of, size) => runsPage(all, of, size)));
  else await writeFileAtomic(to, to.endsWith('.svg') ? await svg() : await paintPage(await svg()));
  return {
    records: paths.join(', '),
    report: to,
    count: all.reduce((sum, { records }) => sum + records.length, 0),
    warnings: [...runsPage(all, theme).warnings],
  };
}

/** Writes the reports of `--visualize` next to a results file: a page and a picture. */
export async function reportBeside(results: RunFacts): Promise<string[]> {
  const paths = [reportPath(results.path, 'html'), reportPath(results.path, 'png')];
  for (const path of paths) await writeReport(results, path, 'light');
  return paths;
}

/** `runs/a.jsonl` → `runs/a.report.png`. */
function reportPath(recordsPath: string, form: 'png' | 'html'): string {
  return `${recordsPath.replace(/\.jsonl$/, '')}.report.${form}`;
}

async function writeReport(results: RunFacts, path: string, theme: ThemeName): Promise<void> {
  await ensureFolderOf(path);
  await writeFileAtomic(path, await drawn(results, path, theme));
}

async function ensureFolderOf(path: string): Promise<void> {
  await ensureDirectory(dirname(path)).catch(cause => {
    throw outNotWritable(path, cause);
  });
}

async function drawn(results: RunFacts, path: string, theme: ThemeName): Promise<string | Uint8Array> {
  if (path.endsWith('.html')) return await htmlOf(results);
  const svg = await drawPage(runPage(results, theme), theme);
  return path.endsWith('.svg') ? svg : await paintPage(svg);
}

/** A page with all records, or for a large file with the charts alone: `hefix view` shows its records. */
async function htmlOf(results: RunFacts): Promise<string> {
  if ((await stat(results.path)).size > MAX_INLINE_BYTES) {
    const { page } = runPages(results);
    const more = `The records are too many for one page: hefix view ${results.path} shows them.`;
    return await picturePage(theme => {
      const drawn = page(theme);
      return { ...drawn, warnings: [...drawn.warnings, more] };
    });
  }
  return await oneFilePage([{ ...(await readResults(results.path)), inProgress: results.inProgress }]);
}

/** Of records; browsers open a page of twice as many bytes in about a second. */
export const MAX_INLINE_BYTES = 32 * 2 ** 20;

/**
 * Reads a results file with the manifest next to it. A torn last line is ignored.
 *
 * ```ts
 * import { readRecords, run, summarise } from 'hefix';
 *
 * await run({ dataset: 'mini', limit: 1, iters: 0, out: 'one.jsonl' });
 * const { records, manifest } = await readRecords('one.jsonl');
 * console.log(manifest.model.name, summarise(records, 0).solved);
 * ```
 *
 * @throws HefixError `MANIFEST_UNUSABLE`, or the RECORDS_ errors.
 */
export async function readRecords(path: string): Promise<Results> {
  return await readResults(path);
}
