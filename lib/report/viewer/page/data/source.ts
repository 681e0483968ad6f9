import type { RunRecord } from '../../../../core/record.ts';
import type {
  FoundRecords,
  InlineData,
  Row,
  Rows,
  RunDetails,
  RunList,
  RunReport,
  TaskAnswer,
} from '../../view-data.ts';
import { hitIn } from './record-hits.ts';
import type { TaskPage, TaskQuery } from './task-page.ts';

/** Where the page's data comes from: the server, or the page's own file. */
export interface Source {
  /** Whether a server answers: runs may grow, and datasets can be read. */
  readonly live: boolean;
  list(): Promise<RunList>;
  rows(run: string, generation: number, from: number): Promise<Rows>;
  /** A page of the tasks of large runs. */
  tasks(query: TaskQuery): Promise<TaskPage>;
  /** The rows of one task of a large run. */
  task(run: string, task: string): Promise<readonly Row[]>;
  record(run: string, line: number): Promise<RunRecord>;
  details(run: string): Promise<RunDetails>;
  report(run: string): Promise<RunReport>;
  search(run: string, text: string, from: number): Promise<FoundRecords>;
  answer(run: string, task: string): Promise<TaskAnswer>;
  /** The URL of the records as a file. */
  records(run: string): Promise<string>;
}

export function sourceOf(page: Document): Source {
  const inline = page.getElementById('data');
  return inline === null ? serverSource : inlineSource(JSON.parse(inline.textContent ?? ''));
}

/** URLs are relative to the page's, which contains the token. */
const serverSource: Source = {
  live: true,
  list: () => ask('runs'),
  rows: (run, generation, from) => ask(`rows/${run}?generation=${generation}&from=${from}`),
  tasks: query => ask(`tasks?${new URLSearchParams({ query: JSON.stringify(query) })}`),
  task: (run, task) => ask(`task/${run}?${new URLSearchParams({ task })}`),
  record: (run, line) => ask(`record/${run}/${line}`),
  details: run => ask(`details/${run}`),
  report: run => ask(`report/${run}`),
  search: (run, text, from) => ask(`search/${run}?${new URLSearchParams({ text, from: `${from}` })}`),
  answer: (run, task) => ask(`answer/${run}?${new URLSearchParams({ task })}`),
  records: async run => `records/${run}`,
};

async function ask<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
}

function inlineSource({ list, rows, records, details, reports }: InlineData): Source {
  const jsonOf = async (run: string, line: number) => await unzipped(records[run]?.[line] ?? '');
  const allOf = async (run: string) =>
    await Promise.all((records[run] ?? []).map((_, line) => jsonOf(run, line)));
  return {
    live: false,
    list: async () => list,
    rows: async (run, _, from) => ({
      generation: 1,
      rows: (rows[run] ?? []).slice(from),
      more: false,
      inProgress: false,
      problem: null,
      large: null,
    }),
    tasks: async () => present<TaskPage>(undefined),
    task: async () => [],
    record: async (run, line) => JSON.parse(await jsonOf(run, line)),
    details: async run => present(details[run]),
    report: async run => present(reports[run]),
    search: async (run, text) => {
      const hits = (await allOf(run)).map((json, line) => hitIn(JSON.parse(json), line, text));
      return { hits: hits.filter(hit => hit !== null), next: null };
    },
    answer: async () => present<TaskAnswer>(undefined),
    records: async run => {
      const lines = (await allOf(run)).map(json => `${json}\n`);
      return URL.createObjectURL(new Blob(lines, { type: 'application/x-ndjson' }));
    },
  };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('This file does not hold it.');
  return value;
}

async function unzipped(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return await new Response(stream).text();
}
