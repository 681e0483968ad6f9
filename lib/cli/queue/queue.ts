import { closingAll } from '../../core/async.ts';
import { HefixError } from '../../core/errors.ts';
import { keyOf } from '../../core/record.ts';
import { completeOptions } from '../../options/tables/run-options.ts';
import { readFacts } from '../../report/results/fact-reader.ts';
import { runParts } from '../../run/library/run-parts.ts';
import { planRun } from '../../run/plan.ts';
import { openQueue } from '../../run/queue/bullmq-queue.ts';
import { runInWords } from '../../run/queue/coordinate.ts';
import { batchesOf, createRequeue, unitsOf } from '../../run/queue/requeue.ts';
import { openShards } from '../../run/queue/shards/open-shards.ts';
import type { QueuedRun, WorkQueue } from '../../run/queue/work-queue.ts';
import { silentEvents } from '../../run/run-events.ts';
import { scoredParts } from '../verify/verify-queue.ts';

export const queueActions = ['status', 'pause', 'resume', 'drain', 'reconcile'] as const;
export type QueueAction = (typeof queueActions)[number];

export interface QueueReport {
  readonly queue: string;
  /** Null if the queue holds none. */
  readonly run: { readonly model: string; readonly dataset: string; readonly out: string } | null;
  /** Units of the run, and those with a record in the shards or the results; null where the shards cannot be read. */
  readonly planned: number | null;
  readonly recorded: number | null;
  readonly waiting: number;
  readonly active: number;
  readonly paused: boolean;
  readonly workers: number;
  readonly oldest_seconds: number | null;
  /** What the action did; a sentence. */
  readonly done?: string;
}

/** Does something to a queue and reports its state afterwards. Rejects with the QUEUE_ errors. */
export async function controlQueue(
  action: QueueAction,
  options: { readonly queue: string; readonly queueName: string },
): Promise<QueueReport> {
  return await closingAll(async opened => {
    const queue = opened(await openQueue(options));
    const done = await actions[action](queue);
    const run = await queue.readRun();
    const { oldestSeconds, ...counts } = await queue.counts();
    return {
      queue: queue.name,
      run: run && { model: run.manifest.model.name, dataset: run.manifest.dataset.name, out: run.out },
      planned: run?.manifest.planned ?? null,
      recorded:
        run &&
        (await recordedKeys(run).then(
          keys => keys.size,
          () => null,
        )),
      ...counts,
      oldest_seconds: oldestSeconds,
      ...(done === undefined ? {} : { done }),
    };
  });
}

const actions: Readonly<Record<QueueAction, (queue: WorkQueue) => Promise<string | undefined>>> = {
  status: async () => undefined,
  async pause(queue) {
    await queue.pause();
    return 'Workers finish what they hold and take nothing more until hefix queue resume.';
  },
  async resume(queue) {
    await queue.resume();
    return 'Workers take units again.';
  },
  async drain(queue) {
    const run = await queue.readRun();
    await queue.clear();
    const held = run
      ? ` The records of ${runInWords(run)} are kept in ${run.shards}; hefix run with --resume continues it.`
      : '';
    return `Nothing waits in the queue any more. A coordinator that still runs fills it again: stop it first.${held}`;
  },
  async reconcile(queue) {
    const { missing, added } = await reconcile(queue);
    return missing === 0
      ? 'No unit is missing a record.'
      : `${missing} units have no record; their ${added} jobs are in the queue.`;
  },
};

/** Adds the units again that have no record, without a coordinator. */
async function reconcile(queue: WorkQueue): Promise<{ readonly missing: number; readonly added: number }> {
  const run = await queue.readRun();
  if (run === null) throw queueWithoutRun(queue.name);
  const { manifest, paths } = run;
  const options = completeOptions({ ...manifest.options, ...(paths.dataset && { dataset: paths.dataset }) });
  const parts = manifest.scored
    ? await scoredParts(manifest.scored, manifest.model, paths.samples, silentEvents())
    : runParts();
  const dataset = await parts.loadDataset(options, { revision: manifest.dataset.revision });
  const { jobs } = planRun(dataset, { ...options, retryErrors: false }, [], parts.scored?.countOf);
  const recorded = await recordedKeys(run);
  const units = unitsOf(run.id, jobs);
  const missing = new Map(
    units
      .map(unit => [keyOf(unit.task.id, unit.sample), unit] as const)
      .filter(([key]) => !recorded.has(key)),
  );
  const added = await createRequeue(queue, run, batchesOf(units, run.batch)).addAll(missing);
  return { missing: missing.size, added };
}

/** Tasks and samples with a record in the shards or in the results file. Rejects with `SHARDS_NOT_SHARED`. */
async function recordedKeys(run: QueuedRun): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  const shards = await openShards(run.shards, AbortSignal.timeout(PATIENCE_MS));
  // Without it, a folder that is not mounted here would look like one without records.
  await shards.check(run.id);
  for await (const { record } of shards.follow().read()) keys.add(keyOf(record.task_id, record.sample));
  const results = await readFacts(run.out).catch(() => null);
  for (const record of results?.records ?? []) keys.add(keyOf(record.task_id, record.sample));
  return keys;
}

/** How long a bucket may be out of reach. */
const PATIENCE_MS = 10_000;

/** As text; one line per row, each ending in a line feed. */
export function queueText(report: QueueReport): string {
  const { run, planned, recorded, oldest_seconds: oldest, done } = report;
  const rows: [string, string][] = [
    ['queue', `${report.queue}${report.paused ? ', paused' : ''}`],
    ['run', run ? `${run.model} on ${run.dataset}, writes ${run.out}` : 'none'],
    ...(run && recorded !== null
      ? [['recorded', `${recorded}${planned === null ? '' : ` of ${planned}`}`] as [string, string]]
      : []),
    ['jobs', `${report.waiting} waiting, ${report.active} running`],
    [
      'workers',
      `${report.workers}${oldest === null ? '' : `; the longest job runs for ${Math.round(oldest)} s`}`,
    ],
  ];
  return [
    ...(done === undefined ? [] : [done]),
    ...rows.map(([name, value]) => `${name.padEnd(10)} ${value}`),
  ]
    .map(line => `${line}\n`)
    .join('');
}

function queueWithoutRun(queue: string): HefixError {
  return new HefixError(
    'QUEUE_WITHOUT_RUN',
    `The queue ${queue} holds no run.`,
    'Start one with hefix run --queue, or check --queue-name.',
  );
}
