import { createActor, type InspectionEvent, type Observer, type Snapshot } from 'xstate';
import type {
  Choice,
  Combination,
  Comparison,
  Enumeration,
  Examination,
  Judgement,
  Proposal,
  Ranking,
  Screening,
  Suite,
  UntimedAttempt,
} from '../../machines/actors.ts';
import type { AgentContext, Answers, SearchSettings, TemperatureOptions } from '../../machines/context.ts';
import { isPassing } from '../../machines/pool.ts';
import type { Attempt, Search, Step, StepCounts, TaskOutcome } from '../core/attempt.ts';
import { sumOf } from '../core/numbers.ts';
import type { Sandbox, TextModel } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import { openParser, type SyntaxParser } from '../syntax/parser.ts';
import type { SamplingOptions } from './actors/actor-parts.ts';
import { createActors, promiseActors } from './actors/create-actors.ts';
import {
  type AgentMachine,
  agentMachine,
  beamsOf,
  DEFAULT_BUDGET,
  DEFAULT_SEARCH_SECONDS,
} from './agents.ts';
import { programIn } from './candidates.ts';
import { isCompiled } from './enumerate/words.ts';
import { triedOn } from './examples/examples.ts';

export interface RepairOptions extends SamplingOptions {
  /** Repair iterations after the draft. */
  readonly maxIterations: number;
  readonly temperature: TemperatureOptions;
}

interface RepairTaskInput {
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
  const {
    model,
    options: requestedOptions,
    signal,
    onText,
    snapshot,
    inspect,
    now = () => performance.now(),
  } = input;
  signal?.throwIfAborted();
  const parser = input.parser ?? (await openParser(input.task.language));
  const options = { ...requestedOptions, answer: requestedOptions.answer ?? model.answer };
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
  const untried = order.filter(
    index => trials[index] === null && candidates[index]?.origin.kind !== 'sample',
  );
  const all = closest
    ? []
    : [...order.filter(index => isPassing(trials[index])), ...untried.slice(0, MAX_UNTRIED)];
  return all.flatMap(index => {
    const { code = null, answer = '' } = candidates[index] ?? {};
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

/** The states that a machine visits, with times and counts: read from its transitions, which know nothing of it. */
interface Steps {
  /** The last one is the current state. */
  readonly all: readonly Step[];
  /** To be called with each event of the actor. */
  inspect(event: InspectionEvent): void;
  /** To be called before the actor starts: there is no event for a first state that is not left at once. */
  begin(state: string): void;
}

/**
 * @param machine id of the machine
 * @param before the steps of a run that is resumed: the actor repeats the last one
 * @param now milliseconds of a monotonic clock
 */
function watchSteps(machine: string, now: () => number, before: readonly Step[] = []): Steps {
  const all = [...before];
  let entered = now();
  let cause: unknown;
  return {
    all,
    inspect(event) {
      if (event.type !== '@xstate.microstep') return;
      const { value, machine: snapshotMachine, context } = Object(event.snapshot);
      if (snapshotMachine?.id !== machine || typeof value !== 'string') return;
      const last = all.at(-1);
      const time = now();
      if (last) {
        // A decision is left by the event that led to it, which is no result of its own.
        const { output } = Object(event.event === cause ? null : event.event) as { output?: unknown };
        const { seconds: busy } = Object(output) as Partial<Proposal>;
        const counts = countsOf(output);
        all[all.length - 1] = {
          ...last,
          seconds: (time - entered) / 1000,
          ...(typeof busy === 'number' && { busy_seconds: busy }),
          ...(counts && { counts }),
        };
      }
      all.push({ state: value, attempt: context.attempts.length, seconds: 0 });
      entered = time;
      cause = event.event;
    },
    begin(state) {
      if (all.length === 0) all.push({ state, attempt: 0, seconds: 0 });
    },
  };
}

/** Attempts with their times, which are those of their steps. */
function timedAttempts(attempts: readonly UntimedAttempt[], steps: readonly Step[]): Attempt[] {
  return attempts.map(({ diagnosis, ...attempt }, index) => {
    const attemptSteps = steps.filter(step => step.attempt === index);
    const secondsIn = (isWanted: (state: string) => boolean) =>
      sumOf(
        attemptSteps.filter(({ state }) => isWanted(state)),
        ({ seconds, busy_seconds }) => busy_seconds ?? seconds,
      );
    const prescreen = secondsIn(state => screening.includes(state));
    const diagnosed = diagnosis && steps.find(step => step.attempt === index + 1 && step.state === 'reflect');
    const isDiagnosis = index > 0 && attempts[index - 1]?.diagnosis !== undefined;
    return {
      ...attempt,
      seconds: {
        proposal: secondsIn(state => !others.includes(state) && !(isDiagnosis && state === 'reflect')),
        execution: prescreen + secondsIn(state => state === 'execute'),
        ...(prescreen > 0 && { prescreen }),
      },
      ...(diagnosis && {
        diagnosis: { ...diagnosis, seconds: diagnosed?.busy_seconds ?? diagnosed?.seconds ?? 0 },
      }),
    };
  });
}

/** Before the tests that the agent may see. */
const screening: readonly string[] = ['screen', 'compare', 'combine', 'choose'];
const others: readonly string[] = [
  ...screening,
  'decide',
  'closest',
  'examine',
  'execute',
  'iterate',
  'finish',
  'score',
];

/** What an actor's result amounts to, in numbers; null for states that only decide, and results without numbers. */
function countsOf(output: unknown): StepCounts | null {
  if (typeof output !== 'object' || output === null) return null;
  const result = output as Partial<
    Choice & Combination & Comparison & Enumeration & Examination & Judgement & Proposal & Ranking & Screening
  >;
  if (result.candidates) return { candidates: result.candidates.length };
  if (result.trials) return screeningCounts(result.trials, result.checks?.length ?? 0);
  if (result.order) return { ranked: result.prompt?.length ? result.order.length : 0 };
  if (result.alike) return { compared: result.alike.length, alike: result.alike.filter(Boolean).length };
  if (result.pairs) return { pairs: result.pairs.length };
  if (result.chosen !== undefined) return { chosen: result.chosen === null ? 0 : 1 };
  return result.answers ? { answers: result.answers.length } : null;
}

function screeningCounts(trials: Screening['trials'], checks: number): StepCounts {
  const rejected = Array.from(
    { length: checks },
    (_, check) =>
      trials.filter(
        ({ firstFailing: failing }) => failing !== null && Math.min(failing, checks - 1) === check,
      ).length,
  );
  return {
    screened: trials.length,
    passed: trials.filter(isPassing).length,
    ...(checks > 0 && { rejected }),
  };
}
