import type { TaskPage } from '../../../lib/report/viewer/page/data/task-page.ts';
import type { Filter, Sort } from '../../../lib/report/viewer/page/data/tasks.ts';
import { noFilter } from '../../../lib/report/viewer/page/data/tasks.ts';
import type { FoundRecords, Row, Rows, RunList } from '../../../lib/report/viewer/view-data.ts';
import { startMeasured } from '../../support/memory.ts';

/** Seconds of a request of the page, by what it shows. */
export type ShowTime = (what: string, seconds: number) => void;

/**
 * Starts `hefix view` on a folder and sends the requests that its page sends, in their order: the list of runs, the
 * first rows, the rest, a filter, a sort, a task, a record, a search. Resolves with the peak of the server's memory in
 * MiB.
 * @param whole whether to read the runs to their end; the first rows and a filter only, otherwise
 */
export async function timePage(folder: string, { whole, show }: { whole: boolean; show: ShowTime }) {
  const server = startMeasured(['view', folder, '--no-open']);
  const address = await server.line;
  const ask = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${address}${path}`);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return path === '' || path.startsWith('page.') ? (text as T) : JSON.parse(text);
  };
  const time = async <T>(what: string, action: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await action();
    show(what, (performance.now() - start) / 1000);
    return result;
  };
  const tasks = (runs: readonly string[], filter: Partial<Filter>, sort: Sort = byTask) => {
    const query = { runs, filter: { ...noFilter, ...filter }, sort, limit: TASKS_SHOWN };
    return ask<TaskPage>(`tasks?${new URLSearchParams({ query: JSON.stringify(query) })}`);
  };
  const rows = (run: string) => ask<Rows>(`rows/${run}?generation=0&from=0`);

  const first = await time('opened, until its first rows are there', async () => {
    for (const name of ['', 'page.js', 'page.css']) await ask(name);
    const { runs } = await ask<RunList>('runs');
    const run = runs[0]?.id ?? '';
    await rows(run);
    await tasks([run], {});
    return run;
  });
  await time('a filter right after that', () => tasks([first], { outcome: 'unsolved' }));
  if (whole) {
    const { runs } = await ask<RunList>('runs');
    const ids = runs.map(({ id }) => id);
    await time(`all rows of ${ids.length} runs`, async () => {
      for (const id of ids) while ((await rows(id)).more);
    });
    await time('all tasks', () => tasks([first], {}));
    await time('a filter by outcome', () => tasks([first], { outcome: 'sometimes' }));
    await time('a filter by text', () => tasks([first], { text: 'word misuse' }));
    await time('a filter by verdict', () => tasks([first], { verdict: 'failed' }));
    await time('a sort by tokens', () => tasks([first], {}, { key: 'tokens', run: 0, descending: true }));
    await time('two runs', () => tasks(ids.slice(0, 2), { outcome: 'aOnly' }));
    const [row] = await time('a task', () => ask<Row[]>(`task/${first}?task=words/100`));
    await time('a record', () => ask(`record/${first}/${row?.line ?? 0}`));
    await time('the report of a run', () => ask(`report/${first}`));
    const search = (text: string, from: number) =>
      ask<FoundRecords>(`search/${first}?${new URLSearchParams({ text, from: `${from}` })}`);
    await time('a search, until its first hits', () => search('longest_word_3', 0));
    await time('a search of all texts', async () => {
      for (let from: number | null = 0; from !== null; )
        from = (await search('nowhere to be found', from)).next;
    });
  }
  return await server.end();
}

const TASKS_SHOWN = 400;
const byTask: Sort = { key: 'task', run: 0, descending: false };
