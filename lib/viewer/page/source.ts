import type { RunRecord } from '../../core/record.ts';
import type { InlineData, Rows, RunList } from '../view-data.ts';

/** Where the page's data come from: the server, or the page's own file. */
export interface Source {
  /** What is asked again later may have grown. */
  readonly live: boolean;
  readonly pictures: InlineData['pictures'];
  list(): Promise<RunList>;
  rows(run: string, generation: number, from: number): Promise<Rows>;
  record(run: string, line: number): Promise<RunRecord>;
}

export function sourceOf(page: Document): Source {
  const inline = page.getElementById('data');
  return inline === null ? serverSource : inlineSource(JSON.parse(inline.textContent ?? ''));
}

/** Addresses are relative to the page's, which holds the token. */
const serverSource: Source = {
  live: true,
  pictures: [],
  list: () => ask('runs'),
  rows: (run, generation, from) => ask(`rows/${run}?generation=${generation}&from=${from}`),
  record: (run, line) => ask(`record/${run}/${line}`),
};

async function ask<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
}

function inlineSource({ list, rows, records, pictures }: InlineData): Source {
  return {
    live: false,
    pictures,
    list: async () => list,
    rows: async (run, _, from) => ({
      generation: 1,
      rows: (rows[run] ?? []).slice(from),
      more: false,
      inProgress: false,
      problem: null,
    }),
    record: async (run, line) => JSON.parse(await unzipped(records[run]?.[line] ?? '')),
  };
}

async function unzipped(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return await new Response(stream).text();
}
