import { type AnyActorRef, fromPromise } from 'xstate';
import type { AgentActors } from '../../../machines/actors.ts';
import type { AgentName } from '../../core/choices.ts';
import { machines } from '../machines.ts';

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
  propose: boundActor('propose', actorsOf),
  enumerate: boundActor('enumerate', actorsOf),
  screen: boundActor('screen', actorsOf),
  rank: boundActor('rank', actorsOf),
  combine: boundActor('combine', actorsOf),
  compare: boundActor('compare', actorsOf),
  choose: boundActor('choose', actorsOf),
  examine: boundActor('examine', actorsOf),
  execute: boundActor('execute', actorsOf),
};
const runnable: Partial<Record<AgentName, ReturnType<(typeof machines)[AgentName]['provide']>>> = {};

type Output<Name extends keyof AgentActors> = Awaited<ReturnType<AgentActors[Name]>>;

/**
 * An actor for a machine, which runs one of those that `actorsOf` gives when it starts.
 * @param around what is done with each result
 */
export function boundActor<Name extends keyof AgentActors>(
  name: Name,
  actorsOf: (system: System) => Pick<AgentActors, Name> | Promise<Pick<AgentActors, Name>>,
  around = <Result>(work: Promise<Result>): Promise<Result> => work,
) {
  type Input = Parameters<AgentActors[Name]>[0];
  type Compute = (input: Input, signal: AbortSignal) => Promise<Output<Name>>;
  return fromPromise<Output<Name>, Input>(({ input, signal, system }) => {
    const found = Promise.resolve(actorsOf(system));
    const work = found.then(actors => (actors[name] as unknown as Compute)(input, signal));
    return around(work as Promise<Output<Name>>);
  });
}
