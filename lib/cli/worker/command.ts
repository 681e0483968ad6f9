import { closingAll, unlessAborted, wait } from '../../core/async.ts';
import { HefixError } from '../../core/errors.ts';
import type { RunRecord } from '../../core/record.ts';
import { printable } from '../../core/text.ts';
import { readEnvironment } from '../../options/settings.ts';
import { parseWorkerOptions, type WorkerOptions, workerOptions } from '../../options/tables/queue-options.ts';
import { openQueue } from '../../run/queue/bullmq-queue.ts';
import { workOn } from '../../run/queue/work.ts';
import type { QueuedRun, WorkQueue } from '../../run/queue/work-queue.ts';
import type { Clock, RunParts } from '../../run/run.ts';
import type { RunEvents } from '../../run/run-events.ts';
import type { Command } from '../command.ts';
import { partsOf } from '../debugging.ts';
import { INTERRUPTED } from '../exit-codes.ts';
import { scoredParts } from '../verify/verify-queue.ts';

export const command: Command = {
  description:
    'Takes units of a run from a queue and writes their records to the folder that all machines share. On SIGTERM it finishes the units that end within --grace, gives back the others and exits; at a second SIGTERM it gives back all.',
  options: workerOptions,
  examples: ['hefix worker --queue redis://host:6379 -c 8', 'hefix worker --queue redis://host:6379 --once'],
  async run(input, io) {
    const { terminal, signal, onSecondInterrupt } = io;
    const options = parseWorkerOptions(input);
    const { workerProgress } = await import('../terminal/line-progress.ts');
    const giveBack = new AbortController();
    let isForced = false;
    onSecondInterrupt(() => {
      isForced = true;
      giveBack.abort();
    });
    signal.addEventListener('abort', () => {
      if (!options.quiet) terminal.write(`${finishingText(options.grace)}\n`);
      setTimeout(() => giveBack.abort(), options.grace * 1000).unref();
    });
    const progress = workerProgress(terminal, options.quiet);
    await work(options, {
      clock: { date: () => new Date(), now: () => performance.now() },
      ...progress,
      drain: signal,
      giveBack: giveBack.signal,
      runParts: () => partsOf(io, text => terminal.write(printable(text))),
    });
    return isForced ? INTERRUPTED : 0;
  },
};

export function finishingText(grace: number): string {
  return `Finishing the units that end within ${grace} s and giving back the others; Ctrl-C again gives back all.`;
}

interface WorkerContext {
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
    // A server that does not answer is given up after some seconds only.
    const opening = openQueue(options);
    const queue = opened(
      await unlessAborted(opening, drain).catch(error => {
        opening.then(late => late.close()).catch(() => {});
        throw error;
      }),
    );
    for (const warning of queue.warnings) context.events.warned(warning);
    for (;;) {
      const run = await nextRun(queue, drain);
      if (run === null) return;
      context.joined(run);
      const parts = await partsFor(run, options, context);
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
    const run = await unlessAborted(queue.readRun(), drain).catch(error => {
      if (error instanceof HefixError) throw error;
      return null;
    });
    if (run) return run;
    await wait(POLL_MS, drain).catch(() => {});
  }
  return null;
}

const POLL_MS = 500;

async function partsFor(
  { manifest, paths }: QueuedRun,
  { samples }: WorkerOptions,
  { runParts, events }: WorkerContext,
): Promise<RunParts> {
  if (!manifest.scored) return await runParts();
  return await scoredParts(manifest.scored, manifest.model, samples ?? paths.samples, events);
}

function workOptions({ concurrency, shards, collect, allow: allowed, overrides }: WorkerOptions) {
  const { HEFIX_COLLECT_TOKEN: token } = readEnvironment(process.cwd(), process.env);
  return { concurrency, shards, collect, allowed, overrides, token };
}
