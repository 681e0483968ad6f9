import { setImmediate } from 'node:timers/promises';
import { eachOf } from '../core/async/each-of.ts';
import { joinSignals } from '../core/async/signals.ts';
import type { Attempt, Step, TaskOutcome } from '../core/attempt.ts';
import {
  type Completion,
  descriptionOf,
  type RequestedJudge,
  type Sandbox,
  type TextModel,
} from '../core/ports.ts';
import { derivedSeed } from '../core/random.ts';
import { type RecordSettings, type RunRecord, recordOf, type TaskRun } from '../core/record.ts';
import type { Task } from '../core/task.ts';
import { isTooLong } from '../repair/errors.ts';
import type { AgentSnapshot, Inspect } from '../repair/repair-task.ts';
import { agreeingPrograms } from '../robust/agreeing.ts';
import type { RobustCheck } from '../robust/robust-check.ts';
import { endsRun, taskBroke } from './errors.ts';
import type { Job } from './plan.ts';
import type { Asked, JobEvents, RunEvents } from './run-events.ts';
import type { SavedStates } from './saved-states.ts';
import type { RunSpans } from './spans.ts';

/** Repairs one task with a model and a sandbox. */
export type RepairTask = (given: {
  readonly task: Task;
  /** Which of the independent runs of this task; 0-based. */
  readonly sample: number;
  readonly model: TextModel;
  readonly sandbox: Sandbox;
  readonly seed: number;
  readonly signal: AbortSignal;
  /** Called with each state of the agent that is entered. */
  readonly onState: (state: string) => void;
  /** Called with each state that is left, with its time and counts. */
  readonly onStep?: ((step: Step) => void) | undefined;
  /** Called with each attempt once it has its verdict. */
  readonly onAttempt: (attempt: Attempt) => void;
  /** The saved state of an interrupted run to resume from. */
  readonly snapshot?: AgentSnapshot | undefined;
  /** Called with each state that can be resumed from. */
  readonly onSnapshot?: ((snapshot: AgentSnapshot) => void) | undefined;
  /** Receives the events of the agent's machine. */
  readonly inspect?: Inspect | undefined;
}) => Promise<TaskOutcome>;

export interface RunTasksInput {
  readonly jobs: readonly Job[];
  /** Number of concurrent jobs. */
  readonly workers: number;
  readonly model: TextModel;
  readonly sandbox: Sandbox;
  readonly repairTask: RepairTask;
  /** Every task and sample derives its own seed from it. */
  readonly seed: number;
  readonly settings: RecordSettings;
  /** Which passes count; see `JudgeKind`. */
  readonly judge?: RequestedJudge | undefined;
  /** Stop at the first job that ends in an error. */
  readonly failFast: boolean;
  /** Stop after so many jobs in a row with the same error; 0 never does. */
  readonly maxErrors: number;
  /** Returns the error to stop with; `share` if the errors were not in a row. */
  readonly tooMany: (count: number, cause: NonNullable<RunRecord['error']>, share?: string) => Error;
  readonly append: (record: RunRecord) => Promise<void>;
  /** Stores the state of each running job; disabled if omitted. */
  readonly states?: SavedStates | undefined;
  readonly events: RunEvents;
  readonly spans: RunSpans;
  readonly inspect?: Inspect | undefined;
  /** Compares solutions with the references; absent if nobody asked for it. */
  readonly robust?: Pick<RobustCheck, 'check'> | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/**
 * Runs the agent on each job, several concurrently, and appends a record when a job ends: while one job
 * executes tests, the model writes for another. Rejects with the signal's reason if aborted, or with the first
 * error; running jobs are then stopped and not recorded.
 */
export async function runTasks(input: RunTasksInput): Promise<void> {
  const errors = createErrorCount(input);
  const run = (job: Job, signal: AbortSignal) => runAndRecord(job, { ...input, signal }, errors);
  await eachOf(input.jobs, input.workers, run, input.signal);
}

async function runAndRecord(job: Job, input: RunTasksInput, errors: ErrorCount): Promise<void> {
  const events = input.events.started(job);
  const record = await recordJob(job, events, input);
  await input.append(record);
  input.states?.remove(stateKey(job));
  events.ended(record);
  errors.check(record);
}

type RecordJobInput = Omit<
  RunTasksInput,
  'jobs' | 'workers' | 'append' | 'tooMany' | 'failFast' | 'maxErrors'
>;

/**
 * Runs one job, and once more if it ends in an error that may not occur again. Rejects with the signal's reason if
 * aborted.
 */
export async function recordJob(job: Job, events: JobEvents, input: RecordJobInput): Promise<RunRecord> {
  const first = await runJob(job, events, input);
  const again = first.error && !isLasting(first.error.code) ? first.error : null;
  if (again) events.again(again);
  if (again) input.states?.remove(stateKey(job));
  const record = again ? await runJob(job, events, input) : first;
  input.signal.throwIfAborted();
  return record.passed && record.fixed !== null && input.robust
    ? { ...record, robust: await input.robust.check(job.task, record.fixed, input.signal) }
    : record;
}

/**
 * Whether the same task would fail again. Its tests do not change, and an empty answer was asked for again where that can
 * help.
 */
function isLasting(code: string): boolean {
  return isTooLong(code) || code === EMPTY || code === 'TESTS_INVALID';
}

const EMPTY = 'BACKEND_ANSWER_EMPTY';
/** More empty answers than this say nothing about the model. */
const MAX_EMPTY_SHARE = 0.1;

/** Counts consecutive jobs, in order of completion, with the same error. */
export interface ErrorCount {
  /** Throws the error to stop with, if this record is one too many. */
  check(record: RunRecord): void;
}

/**
 * Empty answers count however many tasks lie between them. An error caused by the task itself (invalid tests, a
 * conversation that is too long) neither counts nor ends a series.
 */
export function createErrorCount({
  failFast,
  maxErrors,
  tooMany,
}: Pick<RunTasksInput, 'failFast' | 'maxErrors' | 'tooMany'>): ErrorCount {
  let [code, count] = ['', 0];
  let [jobs, empty] = [0, 0];
  return {
    check({ task_id, error, attempts }) {
      jobs++;
      if (error === null) {
        count = 0;
        return;
      }
      if (failFast) throw taskBroke(task_id, error);
      if (error.code === 'TESTS_INVALID' || (isTooLong(error.code) && attempts.length > 0)) return;
      count = error.code === code ? count + 1 : 1;
      code = error.code;
      if (maxErrors > 0 && count >= maxErrors) throw tooMany(count, error);
      if (code !== EMPTY) return;
      empty++;
      if (maxErrors > 0 && empty >= maxErrors && empty > jobs * MAX_EMPTY_SHARE) {
        throw tooMany(empty, error, `${empty} of ${jobs} tasks`);
      }
    },
  };
}

async function runJob(job: Job, events: JobEvents, input: RecordJobInput): Promise<RunRecord> {
  const saved = input.states?.read(stateKey(job)) ?? null;
  const spans = input.spans.job(job, input.model, input.sandbox);
  const watched = watchModel(spans.model, events, saved?.cached ?? null);
  const started = input.now();
  const seconds = () => (saved?.seconds ?? 0) + (input.now() - started) / 1000;
  const unsaved = new AbortController();
  const save = (snapshot: AgentSnapshot) => {
    const state = { snapshot, seconds: seconds(), cached: watched.cached() };
    try {
      input.states?.write(stateKey(job), state);
    } catch (error) {
      unsaved.abort(error);
    }
  };
  const { signal, release } = joinSignals(input.signal, unsaved.signal);
  const repairing = input.repairTask({
    task: job.task,
    sample: job.sample,
    model: watched.model,
    sandbox: spans.sandbox,
    seed: derivedSeed(input.seed, job.task.id, job.sample),
    signal,
    onState(state) {
      spans.entered(state);
      events.state(state);
    },
    onAttempt: attempt => events.attempted(attempt),
    snapshot: saved?.snapshot,
    onSnapshot: input.states && save,
    inspect: input.inspect,
  });
  try {
    const outcome = await repairing.finally(release);
    if (outcome.state === 'error' && endsRun(watched.failure())) throw watched.failure();
    const { isolation } = input.sandbox;
    const { judge, settings } = input;
    const cached = watched.cached();
    const record = recordOf({ ...job, outcome, settings, isolation, seconds: seconds(), cached, judge });
    spans.end(record);
    return await withAgreeing(record, job, outcome, input);
  } catch (error) {
    spans.fail(error);
    throw error;
  }
}

/** With the number of behaviours that agree with the examples; nothing else depends on it. */
async function withAgreeing(
  record: RunRecord,
  { task }: Job,
  { others, attempts }: TaskOutcome,
  { sandbox, signal }: RecordJobInput,
): Promise<RunRecord> {
  if (others === undefined || record.fixed === null) return record;
  const given = { task, program: record.fixed, attempts, others, sandbox, signal };
  const agreeing = await agreeingPrograms(given).catch(() => {
    signal.throwIfAborted();
    return undefined;
  });
  return agreeing ? { ...record, agreeing } : record;
}

/**
 * Each reply is processed in a turn of the event loop of its own. Otherwise many that arrive together would hold back
 * the records of the first ones, and all workers would wait for the slowest, then again for the next replies.
 */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

let lastTurn = Promise.resolve();

function stateKey({ task, sample }: Job) {
  return { taskId: task.id, sample };
}

/** Counts a reply that came from the cache, and returns it. */
type CountReply = <Reply extends CountedReply>(reply: Reply) => Reply;
type CountedReply = Pick<Completion, 'cached' | 'promptTokens' | 'completionTokens'>;

function asking<Request extends Asked, Options, Result extends CountedReply>(
  events: JobEvents,
  count: CountReply,
  call: (request: Request, options?: Options) => Promise<Result>,
) {
  return async (request: Request, options?: Options) => {
    events.asked(request);
    return count(await call(request, options));
  };
}

interface WatchedModel {
  readonly model: TextModel;
  /** The last error; undefined if there was none. */
  failure(): unknown;
  /** Null if no reply came from the cache. */
  cached(): TaskRun['cached'];
}

function watchModel(model: TextModel, events: JobEvents, before: TaskRun['cached']): WatchedModel {
  const kept = { replies: 0, prompt: 0, completion: 0, ...before };
  const count: CountReply = reply => {
    if (!reply.cached) return reply;
    kept.replies++;
    kept.prompt += reply.promptTokens;
    kept.completion += reply.completionTokens;
    return reply;
  };
  let failure: unknown;
  const watched: TextModel = {
    ...descriptionOf(model),
    ...(model.beams && { beams: asking(events, count, model.beams.bind(model)) }),
    ...(model.score && { score: asking(events, count, model.score.bind(model)) }),
    async generate(request, options) {
      // The agent calls as it enters a state; the state is reported right after that.
      await Promise.resolve();
      events.generationStarted(request.temperature);
      events.asked(request);
      let tokens = 0;
      const onText = (piece: string) => {
        events.text(piece);
        options?.onText?.(piece);
      };
      try {
        const completion = await model.generate(request, { ...options, onText });
        tokens = completion.completionTokens;
        return count(completion);
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        events.generationEnded(tokens);
        await ownTurn();
      }
    },
    close: () => model.close(),
  };
  return { model: watched, failure: () => failure, cached: () => (kept.replies > 0 ? { ...kept } : null) };
}
