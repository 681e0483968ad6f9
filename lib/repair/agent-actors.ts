import { type AnyActorRef, fromPromise } from 'xstate';
import type {
  CombinePairsInput,
  EnumerateInput,
  Enumeration,
  Examination,
  ExamineInput,
  ExecuteInput,
  GenerateInput,
  Judgement,
  PrescreenInput,
  Prescreening,
  Proposal,
  RankInput,
  Ranking,
} from '../../machines/actors.ts';
import type { AgentName } from '../core/choices.ts';
import { machines } from './machines.ts';

type System = AnyActorRef['system'];

/** What the actors that the machines leave open compute for one task. */
export interface AgentActors {
  generate(input: GenerateInput, signal: AbortSignal): Promise<Proposal>;
  examine(input: ExamineInput, signal: AbortSignal): Promise<Examination>;
  execute(input: ExecuteInput, signal: AbortSignal): Promise<Judgement>;
  enumerate(input: EnumerateInput, signal: AbortSignal): Promise<Enumeration>;
  rank(input: RankInput, signal: AbortSignal): Promise<Ranking>;
  prescreen(input: PrescreenInput, signal: AbortSignal): Promise<Prescreening>;
  combinePairs(input: CombinePairsInput, signal: AbortSignal): Promise<Enumeration>;
}

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
  generate: fromPromise<Proposal, GenerateInput>(({ input, signal, system }) =>
    actorsOf(system).generate(input, signal),
  ),
  examine: fromPromise<Examination, ExamineInput>(({ input, signal, system }) =>
    actorsOf(system).examine(input, signal),
  ),
  execute: fromPromise<Judgement, ExecuteInput>(({ input, signal, system }) =>
    actorsOf(system).execute(input, signal),
  ),
  enumerate: fromPromise<Enumeration, EnumerateInput>(({ input, signal, system }) =>
    actorsOf(system).enumerate(input, signal),
  ),
  rank: fromPromise<Ranking, RankInput>(({ input, signal, system }) => actorsOf(system).rank(input, signal)),
  prescreen: fromPromise<Prescreening, PrescreenInput>(({ input, signal, system }) =>
    actorsOf(system).prescreen(input, signal),
  ),
  combinePairs: fromPromise<Enumeration, CombinePairsInput>(({ input, signal, system }) =>
    actorsOf(system).combinePairs(input, signal),
  ),
};
const runnable: Partial<Record<AgentName, ReturnType<(typeof machines)[AgentName]['provide']>>> = {};
