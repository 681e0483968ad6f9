import { stat } from 'node:fs/promises';
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { readFacts } from '../../report/results/fact-reader.ts';
import { findRuns, manifestPath } from '../../report/results/manifest.ts';
import { summarise } from '../../report/summary.ts';
import type { Calls } from './calls.ts';

export const RUNS_SHOWN = 20;
const mimeType = 'application/json';

/** The latest calls of this server, and the latest runs in the results folder, as resources. */
export function registerResources(server: McpServer, calls: Calls, results: string): void {
  const call = (id: string) => `hefix://calls/${id}`;
  server.registerResource(
    'calls',
    new ResourceTemplate(call('{id}'), {
      list: () => ({
        resources: calls.last().map(({ id, tool, started, result, error }) => ({
          uri: call(id),
          name: `call ${id}`,
          title: `Call ${id}`,
          description: `${tool}, ${started}: ${error?.code ?? said(result)}`,
          mimeType,
        })),
      }),
    }),
    {
      title: 'Calls',
      description: 'The last calls of this server: input, result, and every attempt of fix_function.',
      mimeType,
    },
    uri => {
      const recorded = calls.last().find(({ id }) => call(id) === uri.href);
      if (!recorded) throw new ResourceNotFoundError(uri.href);
      return contents(uri, recorded);
    },
  );
  server.registerResource(
    'runs',
    new ResourceTemplate(runUri('{name}'), {
      list: async () => ({
        resources: (await latestRuns(results)).map(({ uri, name, changed }) => ({
          uri,
          name,
          title: name,
          description: `Run of ${changed.toISOString()}`,
          mimeType,
        })),
      }),
    }),
    { title: 'Runs', description: `The latest runs in ${results}: summary and verdicts by task.`, mimeType },
    async uri => {
      const resource = (await latestRuns(results)).find(run => run.uri === uri.href);
      if (!resource) throw new ResourceNotFoundError(uri.href);
      return contents(uri, await runContent(resource.path));
    },
  );
}

function runUri(name: string): string {
  return `hefix://runs/${name}`;
}

/** Newest first. */
async function latestRuns(folder: string) {
  const runs = await Promise.all(
    (await findRuns([folder])).map(async ({ path, name }) => {
      const changed = (await stat(manifestPath(path))).mtime;
      return { path, name, uri: runUri(encodeURIComponent(name.replace(/\.jsonl$/, ''))), changed };
    }),
  );
  return runs.toSorted((a, b) => b.changed.getTime() - a.changed.getTime()).slice(0, RUNS_SHOWN);
}

async function runContent(path: string): Promise<object> {
  const { records, manifest, inProgress } = await readFacts(path);
  const { model, dataset, options } = manifest;
  return {
    model,
    dataset,
    inProgress,
    summary: summarise(records, options.iters ?? 0),
    tasks: records.map(({ task_id, sample, passed, iters, verdict, error }) => ({
      task_id,
      sample,
      passed,
      iters,
      verdict: verdict?.kind ?? null,
      error: error?.code ?? null,
    })),
  };
}

function contents(uri: URL, value: object) {
  return { contents: [{ uri: uri.href, mimeType, text: JSON.stringify(value, null, 2) }] };
}

/** A result in one word: `repaired`, `passed`. */
function said(result: object | null): string {
  const { outcome, verdict } = Object(result);
  return String(outcome ?? verdict?.kind);
}
