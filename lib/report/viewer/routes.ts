import { basename } from 'node:path';
import { z } from 'zod';
import { loadDataset } from '../../../dataset/load.ts';
import { HefixError } from '../../core/errors.ts';
import { parseJson } from '../../files/untrusted-file.ts';
import { readEnvironment } from '../../options/settings.ts';
import { machines as agents } from '../../repair/all-machines.ts';
import type { FoundRun } from '../results/manifest.ts';
import { type Manifest, manifestPath, readManifest } from '../results/manifest.ts';
import { drawMachine } from './draw-machine.ts';
import type { LargeRun } from './large/large-run.ts';
import { queryTasks } from './large/query-tasks.ts';
import { pairedCounts, type TaskPage } from './page/data/task-page.ts';
import { outcomeNames, sortKeys } from './page/data/tasks.ts';
import { createRecordIndex, type RecordIndex } from './record-index.ts';
import { newestFirst, readRunInfo, runDetails, runId, runReport } from './run-info.ts';
import { pageScript, pageStyle, shellHtml } from './shell.ts';
import type { MachineDrawings, RunList, TaskAnswer } from './view-data.ts';

/** The most tasks in one answer. */
const MAX_TASKS = 20_000;

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
}

/** A file for download, streamed. */
export interface Download {
  readonly path: string;
  /** The file name that the browser suggests. */
  readonly name: string;
}

/**
 * Routes a request by its path below the token; null if there is none. Rejects with the HefixErrors of
 * reading.
 */
export type Routes = (path: string, query: URLSearchParams) => Promise<Answer | Download | null>;

interface OpenRun {
  readonly path: string;
  readonly index: RecordIndex;
}

/**
 * The viewer's page and its data: the list of runs, the rows of a run, single records. Runs are identified by
 * ids, never by paths.
 */
export function viewerRoutes(title: string, find: () => Promise<readonly FoundRun[]>): Routes {
  const runs = new Map<string, OpenRun>();
  const machines = drawMachines();
  const listRuns = async (): Promise<RunList> => {
    const found = await find();
    for (const { path } of found) {
      const id = runId(path);
      if (!runs.has(id)) runs.set(id, { path, index: createRecordIndex(path) });
    }
    return { title, runs: newestFirst(await Promise.all(found.map(readRunInfo))), machines };
  };
  return async (path, query) => {
    const [kind = '', id = '', line = ''] = path.split('/');
    if (path === '') return { status: 200, type: 'text/html', body: pageHtml(title) };
    if (path === 'page.js') return { status: 200, type: 'text/javascript', body: await pageScript() };
    if (path === 'page.css') return { status: 200, type: 'text/css', body: await pageStyle() };
    if (path === 'runs') return json(await listRuns());
    if (path === 'tasks') return json(tasksIn(runs, query));
    const run = runs.get(id);
    if (run === undefined) return null;
    if (kind === 'record') {
      return /^\d{1,9}$/.test(line) ? jsonIfFound(await run.index.record(Number(line))) : null;
    }
    return line === '' ? await ofRun(kind, run, query) : null;
  };
}

async function ofRun(
  kind: string,
  { path, index }: OpenRun,
  query: URLSearchParams,
): Promise<Answer | Download | null> {
  const manifest = async () => await readManifest(manifestPath(path));
  const text = (name: string) => query.get(name) ?? '';
  switch (kind) {
    case 'rows':
      return json(await index.rows(numberOf(query.get('generation')), numberOf(query.get('from'))));
    case 'search':
      return json(await index.search(text('text'), numberOf(query.get('from'))));
    case 'details':
      return json(runDetails(await manifest()));
    case 'task':
      return json(index.large().rowsOf(text('task')));
    case 'report':
      return json(await runReport({ path, manifest: await manifest(), ...(await index.facts()) }));
    case 'answer':
      return jsonIfFound(await taskAnswer(await manifest(), text('task')));
    case 'records':
      return { path, name: basename(path) };
    default:
      return null;
  }
}

/** A page of the tasks of large runs. */
function tasksIn(runs: ReadonlyMap<string, OpenRun>, query: URLSearchParams): TaskPage {
  const { runs: ids, ...wanted } = taskQuerySchema.parse(parseJson(query.get('query') ?? ''));
  const large = ids.flatMap(id => runs.get(id)?.index.large() ?? []);
  return {
    ...queryTasks(
      large.map(run => run.tasks()),
      wanted,
    ),
    paired: pairedOf(large),
  };
}

function pairedOf([a, b]: readonly LargeRun[]): TaskPage['paired'] {
  return a === undefined || b === undefined ? null : pairedCounts(a.taskRuns(), b.taskRuns());
}

const taskQuerySchema = z.object({
  runs: z.array(z.string()),
  filter: z.object({
    text: z.string(),
    outcome: z.enum(outcomeNames),
    bugType: z.string(),
    verdict: z.string(),
  }),
  sort: z.object({ key: z.enum(sortKeys), run: z.number(), descending: z.boolean() }),
  limit: z.number().int().min(0).max(MAX_TASKS),
});

/** Every agent by name. */
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

function jsonIfFound(value: unknown): Answer | null {
  return value === null ? null : json(value);
}

/** A number from a query; 0 if it is not one. */
function numberOf(text: string | null): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/**
 * A task's canonical solution and tests, from the dataset in the manifest: bundled, a file, or cached from
 * the hub. Nothing is downloaded. Null if the dataset has no such task.
 * @throws HefixError (the `DATASET_` and `HUB_` errors; `DATASET_CHANGED` if it is not the dataset of the
 * run)
 */
export async function taskAnswer({ dataset, options }: Manifest, taskId: string): Promise<TaskAnswer | null> {
  const { fingerprint, tasks } = await loadDataset(options.dataset ?? dataset.name, {
    language: options.lang,
    columns: options.columns,
    env: { ...readEnvironment(process.cwd(), process.env), HF_HUB_OFFLINE: '1' },
    ...(dataset.revision === undefined ? {} : { revision: dataset.revision }),
  });
  if (fingerprint !== dataset.fingerprint) throw datasetChanged(dataset.name);
  const task = tasks.find(({ id }) => id === taskId);
  return task === undefined ? null : { canonical: task.canonical, tests: task.tests };
}

/** Its fingerprint is not the manifest's, so its tasks may differ. */
function datasetChanged(name: string): HefixError {
  return new HefixError(
    'DATASET_CHANGED',
    `The dataset ${name} has changed since the run.`,
    'Give the version that the run used.',
  );
}
