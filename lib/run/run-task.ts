import { setImmediate } from 'node:timers/promises';
import { joinSignals } from '../core/async.ts';
import type { Attempt, Step, TaskOutcome } from '../core/attempt.ts';
import { isTooLong } from '../core/errors.ts';
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
import type { AgentSnapshot, Inspect } from '../repair/repair-task.ts';
import type { RobustCheck } from '../repair/robust/robust-check.ts';
import { EMPTY_ANSWER, endsRun } from './errors.ts';
import type { Job } from './plan.ts';
import type { Asked, JobEvents } from './run-events.ts';
import type { SavedStates } from './saved-states.ts';
import type { RunSpans } from './spans.ts';

/** What the tasks of a run share. */
interface RunTaskInput {
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
 * Runs one task and sample, from the first prompt to the record, and once more if it ends in an error that may not occur
 * again. Rejects with the signal's reason if aborted, and with an error that every later task would meet too.
 *
 * The agent is a state machine (machines/reflect.ts). Its actors (lib/repair/actors) do the work, in this order:
 * `propose` asks the model for answers; `enumerate` gathers them and edits of the syntax tree; `screen` runs these
 * candidates on the docstring's examples; `rank` asks the model for their likelihoods; `choose` takes the first new one;
 * `examine` reads it and `execute` judges it with the tests. With each failure, an iteration begins again at `propose`.
 */
export async function runTask(job: Job, events: JobEvents, input: RunTaskInput): Promise<RunRecord> {
  const { states, robust, signal } = input;
  let record = await runOnce(job, events, input);
  if (record.error && !isLasting(record.error.code)) {
    events.again(record.error);
    states?.remove(stateKey(job));
    record = await runOnce(job, events, input);
  }
  signal.throwIfAborted();
  if (!record.passed || record.fixed === null || !robust) return record;
  return { ...record, robust: await robust.check(job.task, record.fixed, signal) };
}

/** From the state of an interrupted run, or the start, to the record. */
async function runOnce(job: Job, events: JobEvents, input: RunTaskInput): Promise<RunRecord> {
  const { task, sample } = job;
  const { states, sandbox, judge, settings, now } = input;
  const saved = states?.read(stateKey(job)) ?? null;
  const started = now();
  const seconds = () => (saved?.seconds ?? 0) + (now() - started) / 1000;
  const spans = input.spans.job(job, input.model, sandbox);
  const watched = watchModel(spans.model, events, saved?.cached ?? null);
  const failedToSave = new AbortController();
  const save = (snapshot: AgentSnapshot) => {
    try {
      states?.write(stateKey(job), { snapshot, seconds: seconds(), cached: watched.cached() });
    } catch (error) {
      failedToSave.abort(error);
    }
  };
  const { signal, release } = joinSignals(input.signal, failedToSave.signal);
  try {
    const repairing = input.repairTask({
      task,
      sample,
      model: watched.model,
      sandbox: spans.sandbox,
      seed: derivedSeed(input.seed, task.id, sample),
      signal,
      onState(state) {
        spans.entered(state);
        events.state(state);
      },
      onAttempt: attempt => events.attempted(attempt),
      snapshot: saved?.snapshot,
      onSnapshot: states && save,
      inspect: input.inspect,
    });
    const outcome = await repairing.finally(release);
    if (outcome.state === 'error' && endsRun(watched.failure())) throw watched.failure();
    const measured = { seconds: seconds(), cached: watched.cached(), isolation: sandbox.isolation };
    const record = recordOf({ ...job, ...measured, outcome, settings, judge });
    spans.end(record);
    return { ...record, ...(await agreement(record, task, outcome, input)) };
  } catch (error) {
    spans.fail(error);
    throw error;
  }
}

/** How many behaviours agree with the examples, where they alone chose the candidate; nothing else depends on it. */
async function agreement(
  { fixed: program }: RunRecord,
  task: Task,
  { others, attempts }: TaskOutcome,
  { sandbox, signal }: RunTaskInput,
): Promise<Pick<RunRecord, 'agreeing'>> {
  if (others === undefined || program === null) return {};
  try {
    const { agreeingPrograms } = await import('../repair/robust/agreeing.ts');
    const agreeing = await agreeingPrograms({ task, program, attempts, others, sandbox, signal });
    return agreeing ? { agreeing } : {};
  } catch {
    signal.throwIfAborted();
    return {};
  }
}

/**
 * Whether the same task would fail again. Its tests do not change, and an empty answer was asked for again where that can
 * help.
 */
function isLasting(code: string): boolean {
  return isTooLong(code) || code === EMPTY_ANSWER || code === 'TESTS_INVALID';
}

export function stateKey({ task, sample }: Job) {
  return { taskId: task.id, sample };
}

/** Repairs one task with a model and a sandbox. */
export type RepairTask = (input: {
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

interface WatchedModel {
  readonly model: TextModel;
  /** The last error; undefined if there was none. */
  failure(): unknown;
  /** Null if no reply came from the cache. */
  cached(): TaskRun['cached'];
}

/** Tells what a model is asked and answers, and counts replies of the cache. @param before counts of an interrupted run */
function watchModel(model: TextModel, events: JobEvents, before: TaskRun['cached']): WatchedModel {
  const counts = { replies: 0, prompt: 0, completion: 0, ...before };
  const count: CountReply = reply => {
    if (!reply.cached) return reply;
    counts.replies++;
    counts.prompt += reply.promptTokens;
    counts.completion += reply.completionTokens;
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
        await nextTurn();
      }
    },
    close: () => model.close(),
  };
  return {
    model: watched,
    failure: () => failure,
    cached: () => (counts.replies > 0 ? { ...counts } : null),
  };
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

/**
 * Each reply is processed in a turn of the event loop of its own. Otherwise many that arrive together would hold back
 * the records of the first ones, and all workers would wait for the slowest, then again for the next replies.
 */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

let lastTurn = Promise.resolve();
