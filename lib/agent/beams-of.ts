import type { AgentName } from '../core/agent-names.ts';
import type { TextModel } from '../core/ports.ts';
import { defaultBeams } from './search-defaults.ts';

/** What decides whether a model is asked for beams. */
export interface BeamOptions {
  readonly agent: AgentName;
  /** A published protocol, if one is followed. */
  readonly protocol?: string | undefined;
  readonly answer: 'whole' | 'edit';
  /** As asked for; a default unless given. */
  readonly beams?: number | undefined;
  /** Of the first attempt. */
  readonly temperature: number;
  /** Repair iterations. */
  readonly iterations: number;
}

/**
 * How many of its likeliest answers a model that writes edits is asked for; 0 for a language that it was not taught, so
 * that the enumerated edits are left. Null if it is to be sampled: conversations with tools and published protocols take
 * one answer, and a model of another kind has no edits.
 */
export function beamsOf(
  model: Pick<TextModel, 'beams' | 'languages'>,
  { agent, protocol, answer, beams, temperature, iterations }: BeamOptions,
  language: string,
): number | null {
  if (agent === 'tools' || protocol || !model.beams || answer !== 'edit') return null;
  if (beams === 0 || (beams === undefined && temperature > 0)) return null;
  if (model.languages && !model.languages.includes(language)) return 0;
  return beams ?? defaultBeams(iterations);
}
