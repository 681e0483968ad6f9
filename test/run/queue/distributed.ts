import { join } from 'node:path';
import { silentProgress } from '../../../lib/cli/terminal/line-progress.ts';
import type { RunRecord } from '../../../lib/core/record.ts';
import { parseRunOptions } from '../../../lib/options/tables/run-options.ts';
import { openQueue } from '../../../lib/run/queue/bullmq-queue.ts';
import { recordsHash } from '../../../lib/run/queue/collect.ts';
import { type CoordinateOptions, distributeOver } from '../../../lib/run/queue/coordinate.ts';
import { type WorkOptions, workOn } from '../../../lib/run/queue/work.ts';
import type { WorkQueue } from '../../../lib/run/queue/work-queue.ts';
import { type RunParts, type RunResult, run } from '../../../lib/run/run.ts';
import { recordsIn } from '../../support/small-run.ts';
import { context, partsFor, tasks } from '../fakes.ts';

/** A run on many machines, inside one process: the coordinator, the workers and the files are real. */

/** Parts whose model answers by what it is asked, whichever worker asks. */
export function answeringParts(count: number, changed: Partial<RunParts> = {}): RunParts {
  const all = tasks(count);
  return partsFor(all, {
    createModel: async () => ({
      name: 'script',
      fingerprint: 'sha256:3',
      async generate({ messages }) {
        const asked = messages.map(({ content }) => content).join('');
        const text = all.find(({ buggy }) => buggy === asked)?.canonical ?? '';
        return { text, promptTokens: 1, completionTokens: 1, finish: 'stop' };
      },
      close: async () => {},
    }),
    ...changed,
  });
}

export const coordination = { crashes: 3, lockSeconds: 5, jobsPerMinute: 0 } as const;

export interface Coordinated {
  readonly url: string;
  readonly parts: RunParts;
  readonly folder: string;
  readonly name?: string;
  readonly file?: string;
  readonly given?: Readonly<Record<string, unknown>>;
  readonly options?: Partial<CoordinateOptions>;
  readonly signal?: AbortSignal;
  readonly warned?: string[];
}

/** Runs all tasks over the queue. */
export async function coordinate(run: Coordinated): Promise<RunResult> {
  return await withQueue(run.url, async queue => await coordinateOn(queue, run), run.name);
}

export async function coordinateOn(
  queue: WorkQueue,
  { parts, folder, given = {}, options, signal, file = 'r.jsonl', warned = [] }: Coordinated,
): Promise<RunResult> {
  const distribute = distributeOver(queue, { ...coordination, ...options });
  return await run(
    parseRunOptions({ out: join(folder, file), iters: 2, ...given }),
    { ...parts, distribute },
    context({
      ...(signal && { signal }),
      events: { ...silentProgress(), warned: sentence => void warned.push(sentence) },
    }),
  );
}

export interface TestWorker {
  readonly ended: Promise<void>;
  drain(): void;
  giveBack(): void;
  readonly records: RunRecord[];
  readonly warned: string[];
}

/** A worker that takes units of the next run of the queue until it ends. */
export function startWorker(
  url: string,
  parts: RunParts,
  given: Partial<WorkOptions> & { readonly name?: string } = {},
): TestWorker {
  const [drain, giveBack] = [new AbortController(), new AbortController()];
  const records: RunRecord[] = [];
  const warned: string[] = [];
  const work = withQueue(
    url,
    async queue => {
      const run = await until(async () => await queue.readRun());
      const settings = { concurrency: 2, overrides: {}, allowed: [], ...given };
      const { clock } = context();
      await workOn(run, queue, parts, settings, {
        clock: { now: clock.now, date: () => new Date() },
        events: { ...silentProgress(), warned: sentence => void warned.push(sentence) },
        worked: record => void records.push(record),
        drain: drain.signal,
        giveBack: giveBack.signal,
      });
    },
    given.name,
  );
  // A test that awaits it later must not fail before.
  work.catch(() => {});
  return {
    ended: work,
    drain: () => drain.abort(),
    giveBack: () => giveBack.abort(),
    records,
    warned,
  };
}

export async function withQueue<Result>(
  url: string,
  action: (queue: WorkQueue) => Promise<Result>,
  queueName = 'hefix',
): Promise<Result> {
  const queue = await openQueue({ queue: url, queueName });
  try {
    return await action(queue);
  } finally {
    await queue.close();
  }
}

/** Asks again and again until there is an answer. */
export async function until<Result>(question: () => Promise<Result | null | undefined>): Promise<Result> {
  for (;;) {
    const answer = await question();
    if (answer !== null && answer !== undefined) return answer;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

export async function hashOf(path: string): Promise<string> {
  return recordsHash(await recordsIn(path));
}

/** The hash of the same run in this process. */
export async function undisturbed({ parts, folder, given = {} }: Coordinated): Promise<string> {
  const out = join(folder, 'alone.jsonl');
  await run(parseRunOptions({ out, iters: 2, ...given }), parts, context());
  return await hashOf(out);
}
