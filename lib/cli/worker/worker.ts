import { closingAll } from '../../core/async/close-all.ts';
import { wait } from '../../core/async/wait.ts';
import { HefixError } from '../../core/errors.ts';
import type { RunRecord } from '../../core/record.ts';
import { readEnvironment } from '../../options/environment.ts';
import type { WorkerOptions } from '../../options/tables/queue-options.ts';
import { openQueue } from '../../run/queue/open-queue.ts';
import { workOn } from '../../run/queue/work.ts';
import type { QueuedRun, WorkQueue } from '../../run/queue/work-queue.ts';
import type { Clock, RunParts } from '../../run/run.ts';
import type { RunEvents } from '../../run/run-events.ts';
import { scoredParts } from '../verify/verify-parts.ts';

export interface WorkerContext {
  readonly clock: Clock;
  readonly events: RunEvents;
  /** Called for each run that the worker takes part in, and for each record that it makes. */
  readonly joined: (run: QueuedRun) => void;
  readonly worked: (record: RunRecord) => void;
  /** Take no more units, and end when those that run have ended. */
  readonly drain: AbortSignal;
  /** Give back the units that run. */
  readonly giveBack: AbortSignal;
  readonly runParts: () => Promise<RunParts>;
}

/** Takes units of one run after the other, until drained; of one run only with `once`. */
export async function work(options: WorkerOptions, context: WorkerContext): Promise<void> {
  const { drain } = context;
  await closingAll(async opened => {
    const queue = opened(await openQueue(options));
    for (const warning of queue.warnings) context.events.warned(warning);
    for (;;) {
      const run = await nextRun(queue, drain);
      if (run === null) return;
      context.joined(run);
      const parts = await partsOf(run, options, context);
      await workOn(run, queue, parts, workOptions(options), context).catch(error => {
        // Drained before it had taken anything.
        if (!drain.aborted || error !== drain.reason) throw error;
      });
      if (options.once || drain.aborted) return;
    }
  });
}

/** Waits until the queue holds a run; null if drained before. */
async function nextRun(queue: WorkQueue, drain: AbortSignal): Promise<QueuedRun | null> {
  while (!drain.aborted) {
    const run = await queue.readRun().catch(error => {
      if (error instanceof HefixError) throw error;
      return null;
    });
    if (run) return run;
    await wait(POLL_MS, drain).catch(() => {});
  }
  return null;
}

const POLL_MS = 500;

async function partsOf(
  { manifest, paths }: QueuedRun,
  { samples }: WorkerOptions,
  { runParts, events }: WorkerContext,
): Promise<RunParts> {
  if (!manifest.scored) return await runParts();
  return await scoredParts(manifest.scored, manifest.model, samples ?? paths.samples, events);
}

function workOptions({ concurrency, shards, collect, allow: allowed, own }: WorkerOptions) {
  const { HEFIX_COLLECT_TOKEN: token } = readEnvironment(process.cwd(), process.env);
  return { concurrency, shards, collect, allowed, own, token };
}
