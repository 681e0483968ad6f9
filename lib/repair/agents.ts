import type { AnyStateMachine } from 'xstate';
import type { AgentName } from '../core/choices.ts';
import type { TextModel } from '../core/ports.ts';

const machines = {
  reflect: async () => (await import('../../machines/reflect.ts')).reflectMachine,
  react: async () => (await import('../../machines/react.ts')).reactMachine,
  tools: async () => (await import('../../machines/tools.ts')).toolsMachine,
  search: async () => (await import('../../machines/search.ts')).searchMachine,
  'one-shot': async () => (await import('../../machines/one-shot.ts')).oneShotMachine,
} as const satisfies Readonly<Record<AgentName, () => Promise<AnyStateMachine>>>;

export type AgentMachine = Awaited<ReturnType<(typeof machines)[AgentName]>>;

/** The machine of one agent; those of the others are not loaded. */
export async function agentMachine(agent: AgentName): Promise<AgentMachine> {
  return await machines[agent]();
}

/** Default number of candidates of a task's search. */
export const DEFAULT_BUDGET = 1000;

/** Upper end of a temperature ramp; above it small models rarely write code that parses. */
export const WARMEST = 1;

/** Default processor time limit of a task's search, in seconds. */
export const DEFAULT_SEARCH_SECONDS = 20;

/**
 * Default number of likeliest answers of a model that writes edits: about a third of them can be run, which
 * is enough for the attempts of a run.
 */
function defaultBeams(iterations: number): number {
  return Math.min(64, Math.max(12, 3 * (iterations + 1)));
}

/** What determines whether a model is asked for beams. */
interface BeamOptions {
  readonly agent: AgentName;
  /** The published protocol, if any. */
  readonly protocol?: string | undefined;
  readonly answer: 'whole' | 'edit';
  /** The requested number; a default applies if omitted. */
  readonly beams?: number | undefined;
  /** Repair iterations. */
  readonly iterations: number;
}

/**
 * The beam width for a model that writes edits; 0 for a language that it was not trained on, where only
 * enumerated edits are used. Null if the model is to be sampled: conversations with tools and published
 * protocols need a single answer, and other models do not write edits.
 */
export function beamsOf(
  model: Pick<TextModel, 'beams' | 'languages'>,
  { agent, protocol, answer, beams, iterations }: BeamOptions,
  language: string,
): number | null {
  if (agent === 'tools' || protocol || !model.beams || answer !== 'edit') return null;
  if (beams === 0) return null;
  if (model.languages && !model.languages.includes(language)) return 0;
  return beams ?? defaultBeams(iterations);
}
