import type { Dataset } from '../../dataset/load.ts';
import { closingAll, type Opened } from '../core/async/close-all.ts';
import { reason } from '../core/errors.ts';
import type { Sandbox, TextModel } from '../core/ports.ts';
import type { RunRecord } from '../core/record.ts';
import type { Language, Task } from '../core/task.ts';
import { pricesOf } from '../options/tables/model-options.ts';
import { type RunOptions, selectionOptions } from '../options/tables/run-options.ts';
import type { Inspect } from '../repair/repair-task.ts';
import { elapsedIn } from '../report/numbers.ts';
import { type Summary, summarise } from '../report/summary.ts';
import type { RunFacts } from '../results/fact-reader.ts';
import { recordsPath } from '../results/find-runs.ts';
import {
  checkDataset,
  checkSameRun,
  checkSameTasks,
  checkSettings,
  type Manifest,
  manifestPath,
  readManifest,
  recordSettings,
  writeManifest,
} from '../results/manifest.ts';
import { openRecordFile, type RecordFile } from '../results/record-file.ts';
import type { RobustCheck } from '../robust/robust-check.ts';
import { interrupted, nothingRan, tooManyErrors } from './errors.ts';
import type { ModelContext } from './model/create-model.ts';
import { checkAbilities, withoutSameSamples } from './model/model-abilities.ts';
import type { DatasetContext } from './open-dataset.ts';
import { openRobustCheck } from './open-robust-check.ts';
import type { SandboxChoice } from './open-sandbox.ts';
import { type Plan, planRun } from './plan.ts';
import type { RunEvents } from './run-events.ts';
import { ended, manifestOf, runIdentity } from './run-manifest.ts';
import type { RepairTask } from './run-task.ts';
import { type RunTasksInput, runTasks } from './run-tasks.ts';
import { openSavedStates, type SavedStates } from './saved-states.ts';
import { startRunSpans } from './spans.ts';

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

/** Runs the jobs that are left, as `runTasks` does, and appends a record of each. */
export type Distribute = (input: DistributedRun) => Promise<void>;

export interface DistributedRun extends RunTasksInput {
  readonly manifest: Manifest;
  readonly plan: Plan;
  /** The results file. */
  readonly path: string;
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
  given: RunOptions,
  parts: RunParts,
  context: RunContext,
  opened: Opened,
): Promise<RunResult> {
  const { events, signal } = context;
  const { scored } = parts;
  const keep: Opened = part => {
    opened(part);
    signal.throwIfAborted();
    return part;
  };
  const started = context.clock.date();
  const path = recordsPath(given, started);
  const file = keep(await openRecordFile(path, { resume: given.resume }));
  const before = file.held.length > 0 ? await readManifest(manifestPath(path)) : null;
  if (before) checkSettings(path, before, { options: given, prompts: parts.prompts });
  const dataset = await parts.loadDataset(given, {
    onPreparing: events.preparing,
    signal,
    revision: before?.dataset.revision,
  });
  if (before) checkDataset(path, before, dataset);
  const planWith = (options: RunOptions) => planRun(dataset, options, file.held, scored?.countOf);
  const language = planWith(given).jobs[0]?.task.language ?? 'python';
  const sandbox = keep(await parts.openSandbox(given, language, signal));
  // If the user chose the level, its weakness is known.
  if (sandbox.warning && given.isolation === undefined) events.warned(sandbox.warning);
  const model = keep(
    await parts.createModel(given, {
      warn: events.warned,
      rotated: events.rotated,
      onPreparing: events.preparing,
      signal,
    }),
  );
  const options = scored ? given : withoutSameSamples(given, model, language, events.warned);
  const plan = planWith(options);
  for (const sentence of checkAbilities(options, model, language)) events.warned(sentence);
  const { prompts, versions } = parts;
  const manifest = manifestOf({
    options: before && options.retryErrors ? { ...options, ...selectionOf(before.options) } : options,
    language,
    prompts,
    versions,
    dataset,
    sandbox,
    model,
    planned: plannedRecords(options, plan, before),
    started,
    before,
    scored,
  });
  if (before) checkSameRun(path, before, manifest);
  if (before && !options.retryErrors) checkSameTasks(path, before, options, file.held, plan.jobs);
  const states = await openStates(options, manifest, plan, context);
  if (states) keep(states);
  const robust = options.robust
    ? keep(openRobustCheck(options, parts.openSandbox, sandbox, language))
    : undefined;
  return await runPlanned({ file, manifest, plan, states, sandbox, robust, model, options, parts, context });
}

function selectionOf(options: Manifest['options']): Partial<RunOptions> {
  return Object.fromEntries(selectionOptions.map(key => [key, options[key]]));
}

/** With --retry-errors, the number of records stays the same. */
function plannedRecords({ retryErrors }: RunOptions, { jobs }: Plan, before: Manifest | null): number {
  return retryErrors ? (before?.planned ?? jobs.length) : jobs.length;
}

interface OpenRun {
  readonly file: RecordFile;
  readonly manifest: Manifest;
  readonly plan: Plan;
  readonly states: SavedStates | undefined;
  readonly sandbox: Sandbox;
  readonly robust: RobustCheck | undefined;
  readonly model: TextModel;
  readonly options: RunOptions;
  readonly parts: RunParts;
  readonly context: RunContext;
}

async function runPlanned(opened: OpenRun): Promise<RunResult> {
  const { file, manifest, plan, options, context } = opened;
  await writeManifest(manifestPath(file.path), manifest);
  context.events.planned(plan.jobs, plan.done);
  let added = 0;
  let firstError: RunRecord['error'] = null;
  const spans = startRunSpans(options, { model: manifest.model.name, dataset: manifest.dataset.name });
  const { distribute = runTasks } = opened.parts;
  const ran = distribute({
    manifest,
    plan,
    path: file.path,
    jobs: plan.left,
    workers: options.workers,
    model: opened.model,
    sandbox: opened.sandbox,
    robust: opened.robust,
    repairTask: opened.parts.repairTask(options),
    seed: options.seed,
    settings: recordSettings(manifest),
    judge: options.judge,
    failFast: options.failFast,
    maxErrors: options.maxErrors,
    tooMany: (count, cause, share) => tooManyErrors(file.path, count, cause, share),
    states: opened.states,
    append: async record => {
      await file.append(record);
      if (added === 0) firstError = record.error;
      added++;
    },
    events: context.events,
    spans,
    inspect: context.inspect,
    signal: context.signal,
    now: context.clock.now,
  });
  await ran.catch(async error => {
    spans.fail(error);
    await writeManifest(manifestPath(file.path), ended(manifest, context.clock.date(), opened.model));
    const recorded = plan.done.length + added;
    throw context.signal.aborted ? interrupted(file.path, recorded, plan.jobs.length) : error;
  });
  spans.end();
  const whole = ended(manifest, context.clock.date(), opened.model);
  await writeManifest(manifestPath(file.path), whole);

  const records = file.records();
  if (firstError && records.every(record => record.passed === null))
    throw nothingRan(records.length, firstError);
  const results = { path: file.path, records, manifest: whole, inProgress: false };
  return {
    records: file.path,
    manifest: manifestPath(file.path),
    model: manifest.model,
    dataset: manifest.dataset,
    summary: summarise(records, options.iters, {
      prices: pricesOf(options) ?? null,
      timeout: options.timeout,
      elapsed: elapsedIn(whole.sessions),
    }),
    ...(options.visualize ? { reports: await opened.parts.reports.write(results) } : {}),
  };
}

async function openStates(
  { saveState: folder, resume }: RunOptions,
  manifest: Manifest,
  plan: Plan,
  { events }: RunContext,
): Promise<SavedStates | undefined> {
  if (folder === undefined) return undefined;
  const done = plan.done.map(({ task_id: taskId, sample }) => ({ taskId, sample }));
  return await openSavedStates(folder, {
    identity: runIdentity(manifest),
    resume,
    done,
    warn: events.warned,
  });
}
