import { type AnyActorRef, fromPromise } from 'xstate';
import type { AgentName } from '../core/choices.ts';
import type { AgentActors } from './create-actors.ts';
import { machines } from './machines.ts';

type System = AnyActorRef['system'];

/**
 * An agent's machine with actors that run those of their system. Each is made once: a machine of its own for each task
 * would take a quarter of the memory that a task allocates.
 */
export function runnableMachine(agent: AgentName) {
  const machine = runnable[agent] ?? machines[agent].provide({ actors: systemActors });
  runnable[agent] = machine;
  return machine;
}

/** Binds the actors of a task to the system of its machine, before that is started. */
export function bindActors(system: System, actors: AgentActors): void {
  bound.set(system, actors);
}

const bound = new WeakMap<System, AgentActors>();

function actorsOf(system: System): AgentActors {
  const actors = bound.get(system);
  if (!actors) throw new Error('The machine was started without actors.');
  return actors;
}

const systemActors = {
  propose: bind('propose'),
  enumerate: bind('enumerate'),
  screen: bind('screen'),
  rank: bind('rank'),
  combine: bind('combine'),
  choose: bind('choose'),
  examine: bind('examine'),
  execute: bind('execute'),
};
const runnable: Partial<Record<AgentName, ReturnType<(typeof machines)[AgentName]['provide']>>> = {};

function bind<Name extends keyof AgentActors>(name: Name) {
  type Compute = AgentActors[Name];
  type Input = Parameters<Compute>[0];
  type Output = Awaited<ReturnType<Compute>>;
  return fromPromise<Output, Input>(({ input, signal, system }) => {
    const compute = actorsOf(system)[name] as (input: Input, signal: AbortSignal) => Promise<Output>;
    return compute(input, signal);
  });
}
