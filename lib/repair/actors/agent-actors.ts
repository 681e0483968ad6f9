import { type AnyActorRef, fromPromise } from 'xstate';
import type { AgentActors } from '../../../machines/actors.ts';
import type { AgentName } from '../../core/choices.ts';
import type { RequestedJudge, Sandbox, TextModel } from '../../core/ports.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { machines } from '../machines.ts';
import type { StyleOptions } from '../propose/style.ts';

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

/** How the model is prompted. */
export interface SamplingOptions extends StyleOptions {
  readonly topP: number;
  readonly topK: number;
  readonly maxNewTokens: number;
  /** Which judge the hidden tests ask for; see `JudgeKind`. */
  readonly judge?: RequestedJudge | undefined;
  /** Maximum tokens of prompt and answer together; unlimited if omitted. */
  readonly maxLength?: number | undefined;
  /** Beam width; 0 disables beams. Models that write edits use beams by default. */
  readonly beams?: number | undefined;
  /** Repair iterations after the first attempt. */
  readonly maxIterations?: number | undefined;
  /**
   * Whether later attempts use the next answer to the first prompt (`first`), or each node's own prompt
   * (`each`, the default).
   */
  readonly beamPrompt?: 'first' | 'each' | undefined;
  /** Whether a reasoning model may think; defaults to false. */
  readonly thinking?: boolean | undefined;
  /**
   * Samples per prompt, from which the docstring's examples and revealed assertions select one; defaults to
   * 1.
   */
  readonly candidates?: number | undefined;
  /** Whether candidates are tried on the docstring's examples before the hidden tests; defaults to true. */
  readonly examples?: boolean | undefined;
  /** Processor time limit of a task's search and prescreen. */
  readonly searchSeconds?: number | undefined;
  /** The enumerated edits: their number, whether the model ranks them, and whether they join whole functions. */
  readonly search?:
    | { readonly budget: number; readonly rank: boolean; readonly joins?: boolean | undefined }
    | undefined;
  /** Seed of this task and sample; each iteration derives its own. */
  readonly seed: number;
}

export interface ActorParts {
  readonly model: TextModel;
  readonly sandbox: Sandbox;
  readonly parser: SyntaxParser;
  readonly options: SamplingOptions;
  readonly onText?: ((piece: string) => void) | undefined;
}
