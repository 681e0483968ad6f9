import type { Dataset } from '../../dataset/load.ts';
import { closingAll, eachOf, type Opened } from '../core/async.ts';
import { reason } from '../core/errors.ts';
import type { Sandbox, TextModel } from '../core/ports.ts';
import type { RunRecord } from '../core/record.ts';
import type { Language, Task } from '../core/task.ts';
import { pricesOf } from '../options/tables/model-options.ts';
import { type RunOptions, selectionOptions } from '../options/tables/run-options.ts';
import type { Inspect } from '../repair/repair-task.ts';
import type { RobustCheck } from '../repair/robust/robust-check.ts';
import { elapsedIn } from '../report/numbers.ts';
import type { RunFacts } from '../report/results/fact-reader.ts';
import {
  checkDataset,
  checkSameRun,
  checkSameTasks,
  checkSettings,
  type Manifest,
  manifestPath,
  readManifest,
  recordSettings,
  recordsPath,
  writeManifest,
} from '../report/results/manifest.ts';
import { openRecordFile, type RecordFile } from '../report/results/record-file.ts';
import { type Summary, summarise } from '../report/summary.ts';
import { createErrorCount, interrupted, nothingRan } from './errors.ts';
import type { ModelContext } from './model/create-model.ts';
import { checkAbilities, withoutSameSamples } from './model/model-abilities.ts';
import type { DatasetContext, SandboxChoice } from './open-parts.ts';
import { type Job, type Plan, planRun } from './plan.ts';
import type { RunEvents } from './run-events.ts';
import { ended, manifestOf, runIdentity } from './run-manifest.ts';
import { type RepairTask, runTask, stateKey } from './run-task.ts';
import type { SavedStates } from './saved-states.ts';
import type { RunSpans } from './spans.ts';

/** The parts of a run. */
export interface RunParts {
  loadDataset(options: RunOptions, context?: DatasetContext): Promise<Dataset>;
  openSandbox(
    options: RunOptions & Pick<SandboxChoice, 'hashSeed'>,
    language: Language,
    signal?: AbortSignal,
  ): Promise<Sandbox>;
  createModel(options: RunOptions, context?: ModelContext): Promise<TextModel>;
  repairTask(options: RunOptions): RepairTask;
  /** Samples that were made elsewhere and are only scored; absent if the model makes the candidates. */
  readonly scored?: ScoredSamples;
  readonly reports: Reports;
  /** Runs the jobs elsewhere; in this process if omitted. */
  readonly distribute?: Distribute;
  /** A hash of the prompts' text. */
  readonly prompts: string;
  readonly versions: Manifest['versions'];
}

/** Runs the jobs of `plan.left` and appends a record of each. Rejects with the signal's reason if aborted. */
export type Distribute = (run: DistributedRun) => Promise<void>;

export interface DistributedRun {
  readonly manifest: Manifest;
  readonly plan: Plan;
  /** The results file. */
  readonly path: string;
  readonly append: (record: RunRecord) => Promise<void>;
  readonly events: RunEvents;
  readonly signal: AbortSignal;
}

interface ScoredSamples {
  /** Where they come from. */
  readonly file: string;
  /** How often each is judged, if they are the dataset's own solutions. */
  readonly repeat?: number;
  /** How many samples a task has; 0 leaves it out. */
  countOf(task: Task): number;
}

/** Draws what `--visualize` asks for. */
interface Reports {
  /** Resolves with the paths of the files written. */
  write(results: RunFacts): Promise<readonly string[]>;
}

export interface RunContext {
  readonly events: RunEvents;
  /** Receives the events of the agent's machines. */
  readonly inspect?: Inspect | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

export interface Clock {
  date(): Date;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

export interface RunResult {
  /** Paths of the files written. */
  readonly records: string;
  readonly manifest: string;
  readonly model: Manifest['model'];
  readonly dataset: Manifest['dataset'];
  /** Summary of all records in the file, including those of earlier sessions. */
  readonly summary: Summary;
  /** Paths of the reports, if they were requested. */
  readonly reports?: readonly string[];
}

/**
 * Runs the agent on a dataset's tasks and writes a record of each. The settings of an earlier session, the dataset and
 * the sandbox are checked before the model is loaded. Rejects with a HefixError and keeps what was
 * recorded. If aborted, rejects with `INTERRUPTED`, or with the signal's reason if no task had started.
 */
export async function run(options: RunOptions, parts: RunParts, context: RunContext): Promise<RunResult> {
  return await closingAll(
    opened => openAndRun(options, parts, context, opened),
    error => context.events.warned(`Something could not be closed: ${reason(error)}.`),
  );
}

async function openAndRun(
  requested: RunOptions,
  parts: RunParts,
  context: RunContext,
  opened: Opened,
): Promise<RunResult> {
  const { events, signal, clock } = context;
  const open: Opened = part => {
    opened(part);
    signal.throwIfAborted();
    return part;
  };
  const session = await openSession(requested, parts, context, open);
  const { file, language } = session;
  const sandbox = open(await parts.openSandbox(requested, language, signal));
  // If the user chose the level, its weakness is known.
  if (sandbox.warning && requested.isolation === undefined) events.warned(sandbox.warning);
  const { warned: warn, rotated, preparing: onPreparing } = events;
  const model = open(await parts.createModel(requested, { warn, rotated, onPreparing, signal }));

  const { options, plan, manifest } = planSession(session, { sandbox, model }, requested, parts, warn);
  const states = await openStates(options, manifest, plan, warn);
  if (states) open(states);
  const robust = options.robust ? open(await robustCheck(options, parts, sandbox, language)) : undefined;
  await writeManifest(manifestPath(file.path), manifest);
  events.planned(plan.jobs, plan.done);

  const spans = await spansOf(options, { model: manifest.model.name, dataset: manifest.dataset.name });
  let added = 0;
  let firstError: RunRecord['error'] = null;
  const append = async (record: RunRecord) => {
    await file.append(record);
    if (added === 0) firstError = record.error;
    added++;
  };
  const runJobs = async () => {
    const repairTask = parts.repairTask(options);
    const { seed, judge } = options;
    const settings = recordSettings(manifest);
    const { inspect } = context;
    const shared = { model, sandbox, repairTask, seed, judge, settings, states, spans, inspect, robust };
    const errors = createErrorCount(options, file.path);
    const runJob = async (job: Job, stop: AbortSignal) => {
      const jobEvents = events.started(job);
      const record = await runTask(job, jobEvents, { ...shared, signal: stop, now: clock.now });
      await append(record);
      states?.remove(stateKey(job));
      jobEvents.ended(record);
      errors.check(record);
    };
    // While one job executes tests, the model writes for another.
    await eachOf(plan.left, options.workers, runJob, signal);
  };
  try {
    if (!parts.distribute) await runJobs();
    else await parts.distribute({ manifest, plan, path: file.path, append, events, signal });
  } catch (error) {
    spans.fail(error);
    await writeManifest(manifestPath(file.path), ended(manifest, clock.date(), model));
    throw signal.aborted ? interrupted(file.path, plan.done.length + added, plan.jobs.length) : error;
  }
  spans.end();
  const whole = ended(manifest, clock.date(), model);
  await writeManifest(manifestPath(file.path), whole);
  return await resultOf(file, whole, firstError, options, parts);
}

/** Spans go to an OpenTelemetry SDK; without one, its API is not loaded. */
async function spansOf(
  options: RunOptions,
  names: { readonly model: string; readonly dataset: string },
): Promise<RunSpans> {
  if (!(Symbol.for('opentelemetry.js.api.1') in globalThis)) return noSpans;
  return (await import('./spans.ts')).startRunSpans(options, names);
}

const noSpans: RunSpans = {
  job: (_, model, sandbox) => ({ model, sandbox, entered() {}, end() {}, fail() {} }),
  end() {},
  fail() {},
};

/** The results file, the tasks, and the session that this one continues, if any. */
interface Session {
  readonly started: Date;
  readonly file: RecordFile;
  /** The manifest of the earlier sessions; null if this is the first. */
  readonly before: Manifest | null;
  readonly dataset: Dataset;
  /** That of the first task. */
  readonly language: Language;
}

async function openSession(
  options: RunOptions,
  parts: RunParts,
  { events, signal, clock }: RunContext,
  open: Opened,
): Promise<Session> {
  const started = clock.date();
  const path = recordsPath(options, started);
  const file = open(await openRecordFile(path, { resume: options.resume }));
  const before = file.held.length > 0 ? await readManifest(manifestPath(path)) : null;
  if (before) checkSettings(path, before, { options, prompts: parts.prompts });
  const dataset = await parts.loadDataset(options, {
    onPreparing: events.preparing,
    signal,
    revision: before?.dataset.revision,
  });
  if (before) checkDataset(path, before, dataset);
  const { jobs } = planRun(dataset, options, file.held, parts.scored?.countOf);
  return { started, file, before, dataset, language: jobs[0]?.task.language ?? 'python' };
}

/**
 * The jobs and the manifest, once it is known what the model can do; `options` are those requested, with fewer samples if
 * all would be the same.
 * @throws HefixError (`RESUME_MISMATCH`, `MODEL_WITHOUT_BEAMS`, `TASKS_UNKNOWN`)
 */
function planSession(
  { started, file, before, dataset, language }: Session,
  { sandbox, model }: { readonly sandbox: Sandbox; readonly model: TextModel },
  requested: RunOptions,
  { scored, prompts, versions }: RunParts,
  warn: (sentence: string) => void,
): { readonly options: RunOptions; readonly plan: Plan; readonly manifest: Manifest } {
  const options = scored ? requested : withoutSameSamples(requested, model, language, warn);
  const plan = planRun(dataset, options, file.held, scored?.countOf);
  for (const sentence of checkAbilities(options, model, language)) warn(sentence);
  const isRetry = before !== null && options.retryErrors;
  const manifest = manifestOf({
    options: isRetry ? { ...options, ...selectionOf(before.options) } : options,
    language,
    prompts,
    versions,
    dataset,
    sandbox,
    model,
    // With --retry-errors, the number of records stays the same.
    planned: (isRetry ? before.planned : undefined) ?? plan.jobs.length,
    started,
    before,
    scored,
  });
  if (before) checkSameRun(file.path, before, manifest);
  if (before && !isRetry) checkSameTasks(file.path, before, options, file.held, plan.jobs);
  return { options, plan, manifest };
}

function selectionOf(options: Manifest['options']): Partial<RunOptions> {
  return Object.fromEntries(selectionOptions.map(key => [key, options[key]]));
}

async function robustCheck(
  options: RunOptions,
  { openSandbox }: RunParts,
  sandbox: Sandbox,
  language: Language,
): Promise<RobustCheck> {
  const { openRobustCheck } = await import('./open-robust-check.ts');
  return openRobustCheck(options, openSandbox, sandbox, language);
}

async function openStates(
  { saveState: folder, resume }: RunOptions,
  manifest: Manifest,
  plan: Plan,
  warn: (sentence: string) => void,
): Promise<SavedStates | undefined> {
  if (folder === undefined) return undefined;
  const done = plan.done.map(({ task_id: taskId, sample }) => ({ taskId, sample }));
  const { openSavedStates } = await import('./saved-states.ts');
  return await openSavedStates(folder, { identity: await runIdentity(manifest), resume, done, warn });
}

/** @throws HefixError (`NOTHING_RAN`) if every task ended in an error */
async function resultOf(
  file: RecordFile,
  manifest: Manifest,
  firstError: RunRecord['error'],
  options: RunOptions,
  { reports }: RunParts,
): Promise<RunResult> {
  const { path } = file;
  const records = file.records();
  if (firstError && records.every(record => record.passed === null))
    throw nothingRan(records.length, firstError);
  return {
    records: path,
    manifest: manifestPath(path),
    model: manifest.model,
    dataset: manifest.dataset,
    summary: summarise(records, options.iters, {
      prices: pricesOf(options) ?? null,
      timeout: options.timeout,
      elapsed: elapsedIn(manifest.sessions),
    }),
    ...(options.visualize && {
      reports: await reports.write({ path, records, manifest, inProgress: false }),
    }),
  };
}
