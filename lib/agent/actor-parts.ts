import type { SearchSettings } from '../../machines/search-progress.ts';
import type { Sandbox, TextModel } from '../core/ports.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import type { StyleOptions } from './style.ts';

/** How the model is asked. */
export interface SamplingOptions extends StyleOptions {
  readonly topP: number;
  readonly topK: number;
  readonly maxNewTokens: number;
  /** Of prompt and answer together; unlimited unless given. */
  readonly maxLength?: number | undefined;
  /** Hypotheses of a search for the likeliest answers; 0 for none. A model that writes edits has some by itself. */
  readonly beams?: number | undefined;
  /** Repair iterations after the first attempt. */
  readonly budget?: number | undefined;
  /** Whether further attempts take the next answer to the first prompt, or ask with each node's prompt; `each` unless given. */
  readonly beamPrompt?: 'first' | 'each' | undefined;
  /** Of the first attempt; with a temperature above 0 a model that writes edits is sampled unless `beams` says otherwise. */
  readonly temperature?: { readonly base: number } | undefined;
  /** Whether a model that can think aloud may; not unless given. */
  readonly thinking?: boolean | undefined;
  /** Samples of one prompt that the docstring's examples and told assertions choose from; 1 unless given. */
  readonly candidates?: number | undefined;
  /** Whether candidates are tried on the docstring's examples before the tests; they are unless given. */
  readonly examples?: boolean | undefined;
  /** Processor time that a task's search and prescreen may take. */
  readonly searchSeconds?: number | undefined;
  /** The enumerated edits: how many, and whether the model is asked for their order. */
  readonly search?: SearchSettings | undefined;
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
