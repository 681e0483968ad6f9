import { hostname } from 'node:os';
import { closingAll, joinSignals, wait } from '../../core/async.ts';
import type { AllowedDifference } from '../../core/choices.ts';
import { reason } from '../../core/errors.ts';
import type { RunRecord } from '../../core/record.ts';
import { completeOptions, type RunOptions } from '../../options/tables/run-options.ts';
import { recordSettings } from '../../report/results/manifest.ts';
import { openRobustCheck } from '../open-robust-check.ts';
import { withOwnAddresses } from '../own-addresses.ts';
import type { RunContext, RunParts } from '../run.ts';
import type { JobEvents } from '../run-events.ts';
import { firstDifference, manifestOf } from '../run-manifest.ts';
import { runTask } from '../run-task.ts';
import { startRunSpans } from '../spans.ts';
import { collectTokenMissing, recordsNotNamed, workerDiffers } from './errors.ts';
import { readUnits } from './requeue.ts';
import { isBucket, openShards } from './shards/open-shards.ts';
import type { RecordSink } from './shards/shard.ts';
import { createUpload } from './shards/upload.ts';
import { lanes, type QueuedRun, type QueueJob, type WorkQueue } from './work-queue.ts';

export interface WorkOptions {
  /** Units at once. */
  readonly concurrency: number;
  /** Options of this machine, in place of the run's. */
  readonly overrides: Partial<RunOptions>;
  /** The folder or bucket of the records, where it has another name on this machine. */
  readonly shards?: string | undefined;
  /** The address of a coordinator that collects records itself. */
  readonly collect?: string | undefined;
  /** For a coordinator that collects records itself. */
  readonly token?: string | undefined;
  readonly allowed: readonly AllowedDifference[];
}

export interface WorkContext extends Pick<RunContext, 'clock'> {
  readonly events: RunContext['events'];
  readonly worked: (record: RunRecord) => void;
  /** Aborted to take no more jobs and end when those that run have ended. */
  readonly drain: AbortSignal;
  /** Aborted to give back the jobs that run. */
  readonly giveBack: AbortSignal;
}

/**
 * Takes jobs of a run until the queue holds another run or none, or `drain` is aborted. Rejects with `WORKER_DIFFERS`,
 * `SERVER_NOT_NAMED`, `SHARDS_NOT_NAMED` or `SHARDS_NOT_SHARED` before it takes any, with the errors of opening model,
 * dataset and sandbox, and with an error that no job on this machine would survive, such as a full disk; jobs are given
 * back then.
 */
export async function workOn(
  run: QueuedRun,
  queue: WorkQueue,
  parts: RunParts,
  workOptions: WorkOptions,
  context: WorkContext,
): Promise<void> {
  const { events, drain, giveBack } = context;
  const warnOfClose = (error: unknown) => events.warned(`Something could not be closed: ${reason(error)}.`);
  await closingAll(async opened => {
    const sink = opened(await openSink(run, workOptions, context));
    const options = optionsOf(run, workOptions);
    const revision = run.manifest.dataset.revision;
    const dataset = await parts.loadDataset(options, {
      onPreparing: events.preparing,
      signal: drain,
      revision,
    });
    const language = options.lang ?? dataset.tasks[0]?.language ?? 'python';
    const sandbox = opened(await parts.openSandbox(options, language, drain));
    const model = opened(
      await parts.createModel(options, {
        warn: events.warned,
        onPreparing: events.preparing,
        // A worker that starts on many machines at once must not fetch gigabytes on each of them.
        mayFetch: false,
        signal: drain,
      }),
    );
    const workerManifest = manifestOf({
      options: { ...completeOptions(run.manifest.options) },
      language,
      prompts: parts.prompts,
      versions: parts.versions,
      dataset,
      sandbox,
      model,
      planned: 0,
      started: context.clock.date(),
      before: null,
      scored: undefined,
    });
    const difference = firstDifference(run.manifest, workerManifest, workOptions.allowed);
    if (difference) throw workerDiffers(difference.what, difference.a, difference.b, difference.name);

    const broken = new AbortController();
    const repairTask = parts.repairTask(options);
    const robust = options.robust
      ? opened(openRobustCheck(options, parts.openSandbox, sandbox, language))
      : undefined;
    const spans = startRunSpans(options, { model: model.name, dataset: dataset.name });
    const perform = async (job: QueueJob): Promise<'done' | 'returned'> => {
      if (job.run !== run.id) return (await isCurrent(queue, run)) ? 'done' : 'returned';
      try {
        for (const unit of readUnits(job, dataset.tasks)) {
          const record = await runTask(unit, silent, {
            model,
            sandbox,
            repairTask,
            robust,
            seed: options.seed,
            settings: recordSettings(run.manifest),
            judge: options.judge,
            spans,
            signal: giveBack,
            now: context.clock.now,
          });
          await sink.write(record);
          context.worked(record);
        }
        await sink.sync();
        return 'done';
      } catch (error) {
        if (!giveBack.aborted) broken.abort(error);
        return 'returned';
      }
    };
    const settings = { lockSeconds: run.lockSeconds, crashes: run.crashes, process: perform };
    const onError = createErrorListener(events.warned);
    const workers = lanes.map(lane =>
      queue.work({ ...settings, lane, concurrency: lane === 'units' ? workOptions.concurrency : 1, onError }),
    );
    const stop = joinSignals(drain, broken.signal);
    await runEnded(queue, run, stop.signal).finally(stop.release);
    await Promise.all(workers.map(worker => worker.close()));
    spans.end();
    broken.signal.throwIfAborted();
  }, warnOfClose);
}

async function openSink(
  run: QueuedRun,
  { shards, collect, token }: WorkOptions,
  context: WorkContext,
): Promise<RecordSink> {
  if (run.upload !== undefined && shards === undefined) {
    if (collect === undefined) throw recordsNotNamed(run.upload, '--collect');
    if (token === undefined) throw collectTokenMissing();
    return createUpload(collect, {
      runId: run.id,
      token,
      signal: context.giveBack,
      warn: context.events.warned,
    });
  }
  if (shards === undefined && isBucket(run.shards)) throw recordsNotNamed(run.shards, '--shards');
  const opened = await openShards(shards ?? run.shards, context.giveBack);
  await opened.check(run.id);
  return opened.create(`${hostname()}-${process.pid}-${context.clock.date().getTime()}`);
}

/** The run's options, with those of this machine in place of what only concerns the coordinator's. */
function optionsOf({ manifest, paths }: QueuedRun, { overrides, concurrency }: WorkOptions): RunOptions {
  const { dataset, model } = paths;
  return completeOptions({
    ...withOwnAddresses(manifest.options, overrides, 'queue'),
    ...(dataset === undefined ? {} : { dataset }),
    ...(model === undefined ? {} : { model }),
    workers: concurrency,
    saveState: undefined,
    inspect: false,
    inspectContent: false,
    ...overrides,
  });
}

async function isCurrent(queue: WorkQueue, run: QueuedRun): Promise<boolean> {
  return (await queue.readRun().catch(() => null))?.id === run.id;
}

/** Resolves when the queue holds another run or none, repeatedly: a server that lost it gets it again. */
async function runEnded(queue: WorkQueue, { id }: QueuedRun, stop: AbortSignal): Promise<void> {
  for (let misses = 0; misses < MISSES && !stop.aborted; ) {
    const current = await queue.readRun().catch(() => undefined);
    // A queue that does not answer says nothing about its run.
    if (current !== undefined) misses = current?.id === id ? 0 : misses + 1;
    await wait(POLL_MS, stop).catch(() => {});
  }
}

const POLL_MS = 500;
const MISSES = 4;

/** Says no sentence twice in a row. */
function createErrorListener(warn: (sentence: string) => void): (error: Error) => void {
  let last = '';
  return error => {
    const sentence = `The queue reports: ${reason(error)}.`;
    if (sentence !== last) warn(sentence);
    last = sentence;
  };
}

const silent: JobEvents = {
  state() {},
  asked() {},
  generationStarted() {},
  text() {},
  generationEnded() {},
  attempted() {},
  again() {},
  ended() {},
};
