import { createActor, type InspectionEvent, type Observer, type Snapshot } from 'xstate';
import type { AgentContext } from '../../machines/setup.ts';
import type { TemperatureOptions } from '../../machines/temperature.ts';
import type { Search, TaskOutcome } from '../core/attempt.ts';
import type { AgentName } from '../core/choices.ts';
import type { Sandbox, TextModel } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import { openParser, type SyntaxParser } from '../syntax/parser.ts';
import type { SamplingOptions } from './actor-parts.ts';
import { bindActors, runnableMachine } from './agent-actors.ts';
import { createActors } from './create-actors.ts';
import { DEFAULT_BUDGET } from './defaults.ts';
import { triedOn } from './examples/examples.ts';
import type { machines } from './machines.ts';

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
  /** Called with each state that is entered. */
  readonly onTransition?: (state: string, context: AgentContext) => void;
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

/** A machine's state as persisted by XState. */
export type AgentSnapshot = Snapshot<unknown>;

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
  const { agent, maxIterations, temperature, feedback } = options;
  const search = agent === 'search' ? (options.search ?? { budget: DEFAULT_BUDGET, rank: true }) : undefined;
  const suite = search ? triedOn(parser, input.task, feedback) : { task: input.task, triedOn: undefined };
  const { task } = suite;
  const actor = createActor(runnableMachine(agent), {
    input: { task, maxIterations, temperature, feedback, ...(search ? { search } : {}) },
    ...(snapshot ? { snapshot } : {}),
    ...(inspect ? { inspect } : {}),
  });
  bindActors(actor.system, createActors({ ...input, parser, options, now, onText }));
  const context = await finished(actor, input);
  const { protocol, template = 'chat' } = options;
  const searched = suite.triedOn ? { search: searchOf(context, suite.triedOn) } : {};
  return { ...outcomeOf(context), ...(protocol ? { protocol, template } : {}), ...searched };
}

function searchOf({ progress }: AgentContext, triedOn: Search['tried_on']): Search {
  const index = progress?.proposed.at(-1);
  return {
    candidates: progress?.edits.length ?? 0,
    tried: progress?.tried ?? 0,
    rank: index === undefined ? null : index + 1,
    ranked: progress?.ranked ?? false,
    tried_on: triedOn,
    ...(progress?.timeUp && { time_up: true }),
  };
}

type RepairActor = ReturnType<typeof createActor<(typeof machines)[AgentName]>>;

/** Runs the actor to a final state. Stopping it aborts the current call to a port. */
function finished(
  actor: RepairActor,
  { signal, onTransition, onSnapshot, snapshot }: RepairTaskInput,
): Promise<AgentContext> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      actor.stop();
      reject(signal?.reason);
    };
    // For a resumed run, the current state is reported, but none before it.
    const reported = { states: snapshot ? actor.getSnapshot().context.path.length - 1 : 0 };
    actor.subscribe({
      next: ({ status, context }) => {
        for (const state of context.path.slice(reported.states)) onTransition?.(state, context);
        reported.states = context.path.length;
        if (status !== 'done') return onSnapshot?.(actor.getPersistedSnapshot());
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

function outcomeOf({ path, attempts, feedback, score, cause }: AgentContext): TaskOutcome {
  const state = finalStates.find(name => name === path.at(-1));
  if (!state) throw new Error(`The machine ended in ${path.at(-1)}.`);
  return { state, feedback, attempts, path, ...(score ? { score } : {}), cause };
}

const finalStates = ['solved', 'unsolved', 'error'] as const;
