import { joinSignals } from '../core/async/signals.ts';
import type { Attempt, Step, TaskOutcome } from '../core/attempt.ts';
import type { RequestedJudge, Sandbox, TextModel } from '../core/ports.ts';
import { derivedSeed } from '../core/random.ts';
import { type RecordSettings, type RunRecord, recordOf } from '../core/record.ts';
import type { Task } from '../core/task.ts';
import { isTooLong } from '../repair/errors.ts';
import type { AgentSnapshot, Inspect } from '../repair/repair-task.ts';
import { agreeingPrograms } from '../robust/agreeing.ts';
import type { RobustCheck } from '../robust/robust-check.ts';
import { endsRun } from './errors.ts';
import type { Job } from './plan.ts';
import type { JobEvents } from './run-events.ts';
import type { SavedStates } from './saved-states.ts';
import type { RunSpans } from './spans.ts';
import { watchModel } from './watch-model.ts';

/** What the tasks of a run share. */
export interface RunTaskInput {
  readonly model: TextModel;
  readonly sandbox: Sandbox;
  readonly repairTask: RepairTask;
  /** Every task and sample derives its own seed from it. */
  readonly seed: number;
  readonly settings: RecordSettings;
  /** Which passes count; see `JudgeKind`. */
  readonly judge?: RequestedJudge | undefined;
  /** Stores the state of each running job; disabled if omitted. */
  readonly states?: SavedStates | undefined;
  readonly spans: RunSpans;
  readonly inspect?: Inspect | undefined;
  /** Compares solutions with the references; absent if nobody asked for it. */
  readonly robust?: Pick<RobustCheck, 'check'> | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/**
 * Runs one job, and once more if it ends in an error that may not occur again. Rejects with the signal's reason if
 * aborted.
 */
export async function recordJob(job: Job, events: JobEvents, input: RunTaskInput): Promise<RunRecord> {
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

/** From the state of an interrupted run, or the start, to the record. */
async function runJob(job: Job, events: JobEvents, input: RunTaskInput): Promise<RunRecord> {
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
  { sandbox, signal }: RunTaskInput,
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
 * Whether the same task would fail again. Its tests do not change, and an empty answer was asked for again where that can
 * help.
 */
function isLasting(code: string): boolean {
  return isTooLong(code) || code === EMPTY_ANSWER || code === 'TESTS_INVALID';
}

export const EMPTY_ANSWER = 'BACKEND_ANSWER_EMPTY';

export function stateKey({ task, sample }: Job) {
  return { taskId: task.id, sample };
}

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
