import { type ActorRefFrom, createActor, type StateValue } from 'xstate';
import { candidatesToRun } from '../../machines/context.ts';
import type { Answered, Tried } from '../../machines/project-actors.ts';
import type { ProjectContext } from '../../machines/project-setup.ts';
import { closingAll, joinSignals, startTimer } from '../core/async.ts';
import { createProjectActors } from './actors.ts';
import {
  eventsOf,
  type InnerStep,
  interruptedEvent,
  type MachineState,
  stepEvent,
  triedEvent,
} from './events.ts';
import { type FixOptions, type FixParts, MAX_REQUESTS } from './options.ts';
import { createRepairTime } from './repair-time.ts';
import { type EndedRepair, type FixReport, reportOf } from './report.ts';
import { runnableProject } from './runnable-project.ts';

/**
 * Finds out why a project's tests fail and searches for a change of its functions that makes them pass. Works
 * in a copy: nothing in the project itself is written, and the report holds the changes. Rejects with the
 * signal's reason if aborted; the report says whether the time limit was reached.
 * @throws HefixError those of errors.ts and of the sandbox
 */
export async function fix(options: FixOptions, parts: FixParts, signal: AbortSignal): Promise<FixReport> {
  const started = parts.now();
  const timer = new AbortController();
  const joined = joinSignals(signal, timer.signal);
  const time = createRepairTime(options.time, () => timer.abort(), { now: parts.now, startTimer });
  try {
    return await closingAll(async opened => {
      const actors = createProjectActors({
        ...{ options, parts, opened, signal, inTime: joined.signal, untimed: time.untimed },
        context: () => actor.getSnapshot().context,
        onTried: tried => sent(tried),
        onAnswered: () => sent({ type: 'answered' }),
        onJudged: () => watcher.onJudged(),
      });
      const { machine, failure } = runnableProject(actors, joined.signal, parts.onWarning);
      const watcher: Watcher = { onInnerStep: () => {}, onJudged: () => {} };
      const actor = createActor(machine, {
        input: {
          ...{ suspectsOnly: options.suspectsOnly, iterations: options.iterations },
          asksModel: options.beams > 0,
          converses: options.converses ?? false,
          maxRequests: options.maxRequests ?? MAX_REQUESTS,
          answerSeconds: options.time,
        },
        ...(parts.snapshot ? { snapshot: parts.snapshot } : {}),
        inspect(event) {
          // There are hundreds of candidates a second.
          if (!('event' in event && event.event.type === 'tried')) parts.inspect?.next?.(event);
          if (
            event.type === '@xstate.snapshot' &&
            event.actorRef !== actor &&
            isActiveMachine(event.snapshot)
          )
            watcher.onInnerStep(event.snapshot);
        },
      });
      const sent = (event: Tried | Answered): void => {
        // Candidates may be under way when the model's repair ends the search.
        if (actor.getSnapshot().status === 'active') actor.send(event);
      };
      const ended = await finished(
        actor,
        { ...parts, startTime: time.start, failure, watcher },
        signal,
      ).catch(async error => {
        const { context } = actor.getSnapshot();
        if (signal.aborted && context.project)
          parts.onEvent(interruptedEvent(await actors.project(), context));
        throw error;
      });
      signal.throwIfAborted();
      const seconds = (parts.now() - started) / 1000;
      return reportOf(ended, {
        project: await actors.project(),
        isTimeUp: timer.signal.aborted,
        seconds,
        use: await actors.use(),
      });
    });
  } finally {
    time.end();
    joined.release();
  }
}

function isSameStep(before: MachineState | null, { state, context }: MachineState): boolean {
  const stepOf = ({ place, effort, found, progress, repairs }: ProjectContext) => [
    ...[place, effort, found, progress, repairs],
  ];
  if (before?.state !== state) return false;
  const previous = stepOf(before.context);
  return stepOf(context).every((value, index) => value === previous[index]);
}

/** The innermost of nested states. */
function stateOf(value: StateValue): string {
  if (typeof value === 'string') return value;
  const [inner] = Object.values(value);
  return inner === undefined ? '' : stateOf(inner);
}

interface Watcher {
  /** Called with each step of an invoked machine. */
  onInnerStep: (step: InnerStep) => void;
  /** Called before each candidate is judged, also one that was judged before. */
  onJudged: () => void;
}

function isActiveMachine(snapshot: object): snapshot is InnerStep {
  return 'machine' in snapshot && 'status' in snapshot && snapshot.status === 'active';
}

interface RunParts extends Pick<FixParts, 'onEvent' | 'onSnapshot'> {
  readonly startTime: () => void;
  readonly failure: () => unknown;
  readonly watcher: Watcher;
}

/** Runs the machine to a final state; rejects with the error of the actor that failed. */
function finished(
  actor: ActorRefFrom<ReturnType<typeof runnableProject>['machine']>,
  { onEvent, onSnapshot, startTime, failure, watcher }: RunParts,
  signal: AbortSignal,
): Promise<EndedRepair> {
  return new Promise((resolve, reject) => {
    const stop = (cause: unknown): void => {
      actor.stop();
      reject(cause);
    };
    const abort = (): void => stop(signal.reason);
    const save = (): void => {
      try {
        onSnapshot?.(actor.getPersistedSnapshot());
      } catch (error) {
        stop(error);
      }
    };
    let left: number | null = null;
    watcher.onJudged = () => {
      left = left && left - 1;
    };
    watcher.onInnerStep = step => {
      left = step.value === 'screen' ? candidatesToRun(step.context).asked.length : null;
      onEvent(stepEvent(actor.getSnapshot().context, step, left));
      save();
    };
    let before: MachineState | null = null;
    let { tried } = actor.getSnapshot().context;
    actor.subscribe({
      next({ value, status, context }) {
        const state = stateOf(value);
        if (context.tried !== tried) {
          tried = context.tried;
          return onEvent(triedEvent(context, left));
        }
        // The copy is not part of the time.
        if (state !== 'copy') startTime();
        // A state may follow itself, and the model's conversation goes on in any.
        if (isSameStep(before, { state, context })) return save();
        for (const event of eventsOf(before, { state, context })) onEvent(event);
        before = { state, context };
        if (status !== 'done') return save();
        signal.removeEventListener('abort', abort);
        if (state === 'error') reject(failure() ?? new Error(context.cause?.message));
        else resolve({ state, context });
      },
      error: reject,
    });
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    actor.start();
  });
}
