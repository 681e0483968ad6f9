import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import pLimit from 'p-limit';
import type { Results } from '../results/read-results.ts';
import { drawMachines } from './routes.ts';
import { rowOf } from './row-of.ts';
import { runDetails, runInfo, runReport } from './run-info.ts';
import { escapeHtml, pageScript, pageStyle, shellHtml } from './shell.ts';
import type { InlineData } from './view-data.ts';

/**
 * The viewer's page with all its data in one file, without any network requests. Its policy allows only the
 * script and the style that it contains.
 */
export async function oneFilePage(runs: readonly Results[]): Promise<string> {
  const title = runs.map(({ manifest: { model, dataset } }) => `${model.name} on ${dataset.name}`).join(', ');
  const script = (await pageScript()).replaceAll('</script', '<\\/script');
  const style = await pageStyle();
  const data = await inlineData(title, runs);
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return shellHtml({
    title,
    head: `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">\n<style>${style}</style>`,
    body: `<script type="application/json" id="data">${inScript(data)}</script>\n<script>${script}</script>`,
  });
}

async function inlineData(title: string, runs: readonly Results[]): Promise<InlineData> {
  const infos = runs.map(({ path, manifest }) => runInfo({ path, name: basename(path) }, manifest));
  const rows: Record<string, InlineData['rows'][string]> = {};
  const records: Record<string, string[]> = {};
  const details: Record<string, InlineData['details'][string]> = {};
  const reports: Record<string, InlineData['reports'][string]> = {};
  // Each compressor uses a quarter of a MiB while it works.
  const limit = pLimit(4);
  for (const [place, run] of runs.entries()) {
    const { id } = infos[place] ?? { id: '' };
    details[id] = runDetails(run.manifest);
    reports[id] = await runReport(run);
    rows[id] = run.records.map((record, line) => rowOf(record, line));
    records[id] = await limit.map(run.records, record => zipped(JSON.stringify(record)));
  }
  // The file stays small without those that no task shows.
  const shown = Object.entries(drawMachines()).filter(([name]) => infos.some(({ agent }) => agent === name));
  const machines = Object.fromEntries(shown);
  return { list: { title, runs: infos, machines }, rows, records, details, reports };
}

async function zipped(text: string): Promise<string> {
  return (await promisify(gzip)(text)).toString('base64');
}

/** JSON that cannot end the element around it. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
