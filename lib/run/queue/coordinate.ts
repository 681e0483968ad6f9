import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { closingAll, wait } from '../../core/async.ts';
import { reason } from '../../core/errors.ts';
import { recordOf } from '../../core/record.ts';
import { recordSettings } from '../../report/results/manifest.ts';
import type { Distribute, DistributedRun } from '../run.ts';
import { runIdentity } from '../run-manifest.ts';
import { createCollector } from './collect.ts';
import { queueOccupied } from './errors.ts';
import { batchesOf, batchSize, createRequeue, type Unit, unitsOf } from './requeue.ts';
import { type CollectOptions, collectUploads } from './shards/collect-uploads.ts';
import { absoluteLocation, openShards } from './shards/open-shards.ts';
import type { Shards } from './shards/shard.ts';
import { lanes, type QueuedRun, type WorkQueue } from './work-queue.ts';

export interface CoordinateOptions {
  /** The folder or bucket that collects the records; next to the results if omitted. */
  readonly shards?: string | undefined;
  /** Where workers that do not share that folder send their records. */
  readonly collect?: CollectOptions | undefined;
  readonly crashes: number;
  readonly lockSeconds: number;
  /** Units in a job; by what they cost if omitted. */
  readonly batch?: number | undefined;
  /** How many jobs all workers together may start in a minute; 0 is no limit. */
  readonly jobsPerMinute: number;
  /** In the unit of the prices, which it needs. */
  readonly maxCost?: number | undefined;
}

/**
 * Runs the jobs of a run on the workers of a queue: adds them, merges the records that the workers write, and adds
 * again what the queue has lost, until no record is missing. No clock decides anything.
 */
export function distributeOver(queue: WorkQueue, options: CoordinateOptions): Distribute {
  return async input => {
    if (input.plan.left.length === 0) return;
    for (const sentence of queue.warnings) input.events.warned(sentence);
    const { run, shards } = await offerRun(queue, input, options);
    await queue.limit(options.jobsPerMinute);
    const finished = closingAll(async opened => {
      if (options.collect) opened(await collectUploads(options.collect, { runId: run.id, shards }));
      await finish(queue, run, shards, input, options);
    });
    try {
      await finished;
    } finally {
      // Workers continue after an interruption, but not a run that has stopped because of an error or its cost.
      if (!input.signal.aborted) await queue.clear().catch(error => input.events.warned(`${reason(error)}.`));
    }
  };
}

/** Another coordinator may have offered the same run before; then its folder counts. */
async function offerRun(
  queue: WorkQueue,
  { manifest, path, plan, signal }: DistributedRun,
  options: CoordinateOptions,
): Promise<{ readonly run: QueuedRun; readonly shards: Shards }> {
  const { scored } = manifest;
  const { model, agent, noRank, dataset } = manifest.options;
  const run: QueuedRun = {
    id: await runIdentity(manifest),
    manifest,
    paths: {
      ...pathOf('dataset', dataset),
      ...(scored ? pathOf('samples', scored.file) : pathOf('model', model)),
    },
    shards: absoluteLocation(options.shards ?? `${path.replace(/\.jsonl$/, '')}.shards`),
    upload: options.collect?.address,
    out: resolve(path),
    crashes: options.crashes,
    lockSeconds: options.lockSeconds,
    batch:
      options.batch ?? batchSize(plan.jobs.length, scored !== undefined || (agent === 'search' && noRank)),
  };
  const prepared = async (offered: QueuedRun) => {
    if (offered.id !== run.id) throw queueOccupied(queue.name, runInWords(offered));
    const shards = await openShards(offered.shards, signal);
    await shards.prepare(run.id);
    return { run: offered, shards };
  };
  const before = await queue.readRun();
  if (before !== null) return await prepared(before);
  // Workers look at the folder as soon as the queue holds the run.
  const preparation = await prepared(run);
  const held = await queue.offerRun(run);
  return held.id === run.id && held.shards === run.shards
    ? { ...preparation, run: held }
    : await prepared(held);
}

export function runInWords({ manifest, out }: QueuedRun): string {
  return `${manifest.model.name} on ${manifest.dataset.name}, which writes ${out}`;
}

/** The absolute path, if the value is a path that exists and not a name. */
function pathOf(key: keyof QueuedRun['paths'], value: string | undefined): QueuedRun['paths'] {
  return value !== undefined && existsSync(value) ? { [key]: resolve(value) } : {};
}

async function finish(
  queue: WorkQueue,
  run: QueuedRun,
  shards: Shards,
  input: DistributedRun,
  { maxCost }: CoordinateOptions,
): Promise<void> {
  const { events, signal } = input;
  const units = unitsOf(run.id, input.plan.jobs);
  const collector = await createCollector(input, { units, shards, maxCost });
  const requeue = createRequeue(queue, run, batchesOf(units, run.batch));
  const crashLog = shards.create(`coordinator-${hostname()}-${process.pid}-${Date.now()}`);
  const ask = createAsk(queue, events.warned);
  try {
    // What crashed in an earlier session is tried again.
    await ask(async () => {
      for (const lane of lanes) while ((await queue.takeCrashed(lane)).length > 0);
      await requeue.addAll(collector.missing);
    });
    for (let round = 0; collector.missing.size > 0; round++) {
      signal.throwIfAborted();
      // The counts come before the records: see `addLost`.
      const state =
        round % Math.ceil(ASK_MS / shards.pollMs) === 0
          ? await ask(async () => {
              await queue.offerRun(run);
              return { crashed: await requeue.takeCrashed(), counts: await queue.counts() };
            })
          : undefined;
      for (const unit of state?.crashed ?? []) await crashLog.write(crashRecord(unit, run));
      if (state?.crashed.length) await crashLog.sync();
      await collector.read();
      if (state) {
        events.distributed?.(state.counts);
        await ask(() => requeue.addLost(collector.missing, state.counts));
      }
      if (collector.missing.size > 0) await wait(shards.pollMs, signal);
    }
    // Records that were written twice until now are compared too.
    await collector.read();
  } finally {
    await crashLog.close();
  }
}

/** How often the queue is asked. */
const ASK_MS = 1000;

/** Resolves with undefined if the queue does not answer; the next call tries again. Warns once each time it goes away. */
function createAsk(queue: WorkQueue, warn: (sentence: string) => void) {
  let isAway = false;
  return async <Result>(question: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      const answer = await question();
      isAway = false;
      return answer;
    } catch (error) {
      if (!isAway) warn(`The queue ${queue.name} does not answer: ${reason(error)}. hefix keeps asking.`);
      isAway = true;
      return undefined;
    }
  };
}

/** A unit that killed its workers is an error, never a failed task. */
function crashRecord(unit: Unit, { manifest, crashes }: QueuedRun) {
  const message = `It crashed its worker ${2 * crashes} times, the last ${crashes} times as the only unit.`;
  const { feedback = 'tests' } = manifest.options;
  const cause = { code: 'WORKER_KILLED', message };
  return recordOf({
    ...unit,
    outcome: { state: 'error', feedback, attempts: [], path: ['error'], cause },
    settings: recordSettings(manifest),
    isolation: manifest.isolation,
    seconds: 0,
    cached: null,
  });
}
