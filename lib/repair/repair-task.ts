import { createActor, type InspectionEvent, type Observer, type Snapshot } from 'xstate';
import type { Suite } from '../../machines/actors.ts';
import type { AgentContext, Answers, SearchSettings } from '../../machines/context.ts';
import { isPassing } from '../../machines/pool.ts';
import type { TemperatureOptions } from '../../machines/temperature.ts';
import type { Attempt, Search, Step, TaskOutcome } from '../core/attempt.ts';
import type { Sandbox, TextModel } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import { openParser, type SyntaxParser } from '../syntax/parser.ts';
import type { SamplingOptions } from './actors/actor-parts.ts';
import { createActors, promiseActors } from './actors/create-actors.ts';
import { type AgentMachine, agentMachine } from './agent-machine.ts';
import { programIn } from './answer.ts';
import { beamsOf, DEFAULT_BUDGET, DEFAULT_SEARCH_SECONDS } from './defaults.ts';
import { isCompiled } from './enumerate/words.ts';
import { triedOn } from './examples/known-checks.ts';
import { type Steps, timedAttempts, watchSteps } from './steps.ts';

export interface RepairOptions extends SamplingOptions {
  /** Repair iterations after the draft. */
  readonly maxIterations: number;
  readonly temperature: TemperatureOptions;
}

export interface RepairTaskInput {
  readonly task: Task;
  /** Defaults to that of the task's language. */
  readonly parser?: SyntaxParser;
  readonly model: TextModel;
  readonly sandbox: Sandbox;
  readonly options: RepairOptions;
  readonly signal?: AbortSignal;
  /** Called with each state of the agent that is entered. */
  readonly onState?: ((state: string) => void) | undefined;
  /** Called with each attempt once it has its verdict. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** Called with each state that is left, with its time and counts. */
  readonly onStep?: ((step: Step) => void) | undefined;
  /** Called with each piece of text that the model writes. */
  readonly onText?: (piece: string) => void;
  /** The last value passed to `onSnapshot`: resumes from it and repeats the call that was in progress. */
  readonly snapshot?: AgentSnapshot | undefined;
  /**
   * Called after each transition to a state that is not final, with everything needed to resume; plain data.
   */
  readonly onSnapshot?: ((snapshot: AgentSnapshot) => void) | undefined;
  /** Receives events of the machine and its actors. */
  readonly inspect?: Inspect | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

export type Inspect = Observer<InspectionEvent>;

/** A machine's state as persisted by XState, and its steps so far. */
export interface AgentSnapshot {
  readonly machine: Snapshot<unknown>;
  readonly steps: readonly Step[];
}

/**
 * Runs the agent on one task. If a model or a sandbox fails, the outcome is `error` with its code and
 * message. Rejects with the signal's reason if aborted.
 * @throws HefixError LANGUAGE_UNSUPPORTED
 */
export async function repairTask(input: RepairTaskInput): Promise<TaskOutcome> {
  const { model, options: given, signal, onText, snapshot, inspect, now = () => performance.now() } = input;
  signal?.throwIfAborted();
  const parser = input.parser ?? (await openParser(input.task.language));
  const options = { ...given, answer: given.answer ?? model.answer };
  const { agent, maxIterations, temperature, feedback, protocol, template = 'chat' } = options;
  const isSearch = agent === 'search';
  const suite = isSearch
    ? await triedOn(parser, input.task, feedback)
    : { task: input.task, triedOn: undefined };
  const { task } = suite;
  const actors = createActors({ ...input, parser, options, onText });
  const machine = (await agentMachine(agent)).provide({ actors: promiseActors(actors) });
  const steps = watchSteps(machine.id, now, snapshot?.steps);
  const actor = createActor(machine, {
    input: { task, maxIterations, temperature, feedback, search: searchSettings(model, options, task) },
    ...(snapshot ? { snapshot: snapshot.machine } : {}),
    inspect(event) {
      steps.inspect(event);
      inspect?.next?.(event);
    },
  });
  steps.begin(String(actor.getSnapshot().value));
  const context = await finished(actor, steps, input);
  const attempts = timedAttempts(context.attempts, steps.all);
  return {
    state: endOf(steps),
    feedback,
    attempts,
    path: steps.all.map(({ state }) => state),
    steps: steps.all,
    ...(context.score ? { score: context.score } : {}),
    cause: context.cause,
    ...(protocol ? { protocol, template } : {}),
    ...(feedback === 'examples' ? { others: othersIn(context, parser) } : {}),
    ...(suite.triedOn ? { search: searchOf(context, suite.triedOn) } : {}),
  };
}

/** Of the last prompt: those that passed all checks, then some that were not run. */
function othersIn({ task, pool }: AgentContext, parser: SyntaxParser): string[] {
  const { candidates, order, trials, closest } = pool;
  const untried = order.filter(at => trials[at] === null && candidates[at]?.origin.kind !== 'sample');
  const all = closest ? [] : [...order.filter(at => isPassing(trials[at])), ...untried.slice(0, MAX_UNTRIED)];
  return all.flatMap(at => {
    const { code = null, answer = '' } = candidates[at] ?? {};
    return code ?? programIn(parser, task, answer) ?? [];
  });
}

const MAX_UNTRIED = 60;

function searchOf({ pool, time }: AgentContext, triedOn: Search['tried_on']): Search {
  const { order, trials, taken } = pool;
  const last = taken.at(-1);
  const isStopped = time.spent >= time.limit && !trials.some(isPassing);
  return {
    candidates: pool.candidates.length,
    tried: pool.isUnchecked ? 0 : trials.filter(trial => trial !== null).length,
    rank: last === undefined ? null : order.indexOf(last) + 1,
    ranked: pool.prompt.length > 0,
    tried_on: triedOn,
    ...(isStopped && { time_up: true }),
  };
}

type RepairActor = ReturnType<typeof createActor<AgentMachine>>;

/** Runs the actor to a final state. Stopping it aborts the current call to a port. */
function finished(
  actor: RepairActor,
  { all: steps }: Steps,
  { signal, onState, onAttempt, onStep, onSnapshot, snapshot }: RepairTaskInput,
): Promise<AgentContext> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      actor.stop();
      reject(signal?.reason);
    };
    // For a resumed run, the current state is reported, but none before it.
    let entered = snapshot ? snapshot.steps.length - 1 : 0;
    let left = entered;
    let reported = 0;
    actor.subscribe({
      next: ({ status, context }) => {
        const attempts = timedAttempts(context.attempts, steps);
        for (const step of steps.slice(left, -1)) onStep?.(step);
        for (const { state } of steps.slice(entered)) {
          for (const attempt of attempts.slice(reported)) onAttempt?.(attempt);
          reported = attempts.length;
          onState?.(state);
        }
        [left, entered] = [steps.length - 1, steps.length];
        if (status !== 'done') {
          const machine = onSnapshot && actor.getPersistedSnapshot();
          return machine && onSnapshot({ machine, steps: [...steps] });
        }
        signal?.removeEventListener('abort', abort);
        resolve(context);
      },
      error: reject,
    });
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    actor.start();
  });
}

function endOf({ all }: Steps): TaskOutcome['state'] {
  const last = all.at(-1)?.state;
  const state = finalStates.find(name => name === last);
  if (!state) throw new Error(`The machine ended in ${last}.`);
  return state;
}

const finalStates = ['solved', 'unsolved', 'error'] as const;

/** What options and model mean for the machine: what the model is asked for, and what candidates are run on. */
function searchSettings(
  model: Pick<TextModel, 'beams' | 'languages'>,
  options: SamplingOptions,
  task: Task,
): SearchSettings {
  const { agent, protocol, candidates = 1, search, searchSeconds } = options;
  const { budget, rank, joins = false } = search ?? { budget: DEFAULT_BUDGET, rank: true };
  const shared = { seconds: searchSeconds ?? DEFAULT_SEARCH_SECONDS, suite: suiteOf(options, task) };
  // To compile all of them would cost more than a ranking.
  const screening = agent === 'search' || isCompiled(task.language) ? 'first' : 'all';
  const edits = { budget, screening, ranked: rank, pairs: true } as const;
  if (agent === 'search') return { ...shared, answers: { kind: 'none' }, edits };
  const beams = beamsOf(model, beamOptions(options), task.language);
  if (beams === null && joins && options.answer !== 'edit') {
    return { ...shared, answers: { kind: 'one' }, edits };
  }
  if (beams === null) {
    const isOne = protocol !== undefined || candidates === 1;
    const answers: Answers = isOne ? { kind: 'one' } : { kind: 'samples', most: candidates };
    return { ...shared, answers, edits: null };
  }
  if (beams === 0) return { ...shared, answers: { kind: 'none' }, edits: { ...edits, ranked: false } };
  return { ...shared, answers: { kind: 'likeliest', most: beams }, edits };
}

function suiteOf({ agent, protocol, feedback }: SamplingOptions, { exampleTests }: Task): Suite | null {
  if (agent === 'one-shot' || protocol || feedback === 'none') return null;
  if (agent !== 'search') return 'known';
  if (feedback === 'tests') return 'tests';
  return exampleTests.trim() === '' ? null : 'examples';
}

function beamOptions(options: SamplingOptions) {
  const { agent, protocol, answer = 'whole', beams, maxIterations = 0 } = options;
  return { agent, protocol, answer, beams, iterations: maxIterations };
}
