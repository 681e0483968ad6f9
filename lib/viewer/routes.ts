import { machines as agents } from '../agent/machines.ts';
import { drawMachine } from './draw-machine.ts';
import type { FoundRun } from './find-runs.ts';
import { createRecordIndex, type RecordIndex } from './record-index.ts';
import { newestFirst, readRunInfo, runId } from './run-info.ts';
import { pageScript, pageStyle, shellHtml } from './shell.ts';
import type { MachineDrawings, RunList } from './view-data.ts';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Routes a request by its path below the token; null if there is nothing. Rejects with HefixErrors of reading. */
export type Routes = (path: string, query: URLSearchParams) => Promise<Answer | null>;

/**
 * The viewer's page and what it asks for: the list of runs, the rows of one, single records. Files are named by ids
 * of the runs found, never by paths.
 */
export function viewerRoutes(title: string, find: () => Promise<readonly FoundRun[]>): Routes {
  const indexes = new Map<string, RecordIndex>();
  const machines = drawMachines();
  const listRuns = async (): Promise<RunList> => {
    const found = await find();
    for (const { path } of found) {
      if (!indexes.has(runId(path))) indexes.set(runId(path), createRecordIndex(path));
    }
    const runs = newestFirst(await Promise.all(found.map(readRunInfo)));
    return { title, runs, machines };
  };
  return async (path, query) => {
    const [kind = '', id = '', line = ''] = path.split('/');
    if (path === '') return { status: 200, type: 'text/html', body: pageHtml(title) };
    if (path === 'page.js') return { status: 200, type: 'text/javascript', body: await pageScript() };
    if (path === 'page.css') return { status: 200, type: 'text/css', body: await pageStyle() };
    if (path === 'runs') return json(await listRuns());
    const index = indexes.get(id);
    if (index === undefined) return null;
    if (kind === 'rows' && line === '') {
      return json(await index.rows(numberOf(query.get('generation')), numberOf(query.get('from'))));
    }
    if (kind !== 'record' || !/^\d{1,9}$/.test(line)) return null;
    const record = await index.record(Number(line));
    return record === null ? null : json(record);
  };
}

/** Of every agent, by its name. */
export function drawMachines(): Record<string, MachineDrawings> {
  return Object.fromEntries(Object.entries(agents).map(([name, machine]) => [name, drawMachine(machine)]));
}

function pageHtml(title: string): string {
  return shellHtml({
    title: `${title} · hefix`,
    head: '<link rel="stylesheet" href="page.css">',
    body: '<script type="module" src="page.js"></script>',
  });
}

function json(value: unknown): Answer {
  return { status: 200, type: 'application/json', body: JSON.stringify(value) };
}

/** Of a query's text; what is no count is 0. */
function numberOf(text: string | null): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
