import type { Sandbox, TextModel } from '../core/ports.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import type { StyleOptions } from './style.ts';

/** How the model is asked. */
export interface SamplingOptions extends StyleOptions {
  readonly topP: number;
  readonly topK: number;
  readonly maxNewTokens: number;
  /** Hypotheses of a search for the likeliest answers; 0 for none. A model that writes edits has some by itself. */
  readonly beams?: number | undefined;
  /** Repair iterations after the first attempt. */
  readonly budget?: number | undefined;
  /** Whether further attempts go on with what the first prompt gave, or ask anew with each node's prompt. */
  readonly beamPrompt?: 'first' | 'each' | undefined;
  /** Of the first attempt; with a temperature above 0 a model that writes edits is sampled unless `beams` says otherwise. */
  readonly temperature?: { readonly base: number } | undefined;
  /** Whether a model that can think aloud may; not unless given. */
  readonly thinking?: boolean | undefined;
  /** Of this task and sample; each iteration draws its own from it. */
  readonly seed: number;
}

export interface ActorParts {
  readonly model: TextModel;
  readonly sandbox: Sandbox;
  readonly parser: SyntaxParser;
  readonly options: SamplingOptions;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  readonly onText?: ((piece: string) => void) | undefined;
}
