import { createActor } from 'xstate';
import type { AgentContext } from '../../machines/agent-setup.ts';
import type { TemperatureOptions } from '../../machines/temperature.ts';
import type { TaskOutcome } from '../attempt.ts';
import type { Sandbox, TextModel } from '../ports.ts';
import { openParser } from '../syntax/parser.ts';
import type { Task } from '../task.ts';
import { createActors, type SamplingOptions } from './actors.ts';
import { type AgentName, machines } from './machines.ts';

export interface RepairOptions extends SamplingOptions {
  /** Repair iterations after the draft. */
  readonly budget: number;
  readonly temperature: TemperatureOptions;
}

export interface RepairTaskInput {
  readonly task: Task;
  readonly model: TextModel;
  readonly sandbox: Sandbox;
  readonly options: RepairOptions;
  readonly signal?: AbortSignal;
  /** Told each state as it is entered. */
  readonly onTransition?: (state: string, context: AgentContext) => void;
  /** Told each piece of text as the model writes it. */
  readonly onText?: (piece: string) => void;
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: () => number;
}

/**
 * One task, one outcome. A model or a sandbox that fails makes the outcome `broken`, with its code
 * and message. Rejects with the signal's reason if aborted.
 * @throws HefixError LANGUAGE_UNSUPPORTED
 */
export async function repairTask(input: RepairTaskInput): Promise<TaskOutcome> {
  const { task, options, signal, onText, now = () => performance.now() } = input;
  signal?.throwIfAborted();
  const parser = await openParser(task.language);
  const { agent, budget, temperature, feedback } = options;
  const machine = machines[agent].provide({
    actors: createActors({ ...input, parser, options, now, onText }),
  });
  const actor = createActor(machine, { input: { task, budget, temperature, feedback } });
  const context = await finished(actor, input);
  const { protocol } = options;
  return { ...outcomeOf(context), ...(protocol ? { protocol } : {}) };
}

type RepairActor = ReturnType<typeof createActor<(typeof machines)[AgentName]>>;

/** Runs the actor to a final state. Stopping it aborts the call to a port that is under way. */
function finished(actor: RepairActor, { signal, onTransition }: RepairTaskInput): Promise<AgentContext> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      actor.stop();
      reject(signal?.reason);
    };
    const told = { states: 0 };
    actor.subscribe({
      next: ({ status, context }) => {
        for (const state of context.path.slice(told.states)) onTransition?.(state, context);
        told.states = context.path.length;
        if (status !== 'done') return;
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

const finalStates = ['solved', 'exhausted', 'broken'] as const;
