import type { AgentName, AnswerFormat, Feedback, PromptTemplate, Protocol } from '../../core/choices.ts';
import type { RequestedJudge, Sandbox, TextModel } from '../../core/ports.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';

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

export interface StyleOptions {
  readonly agent: AgentName;
  readonly feedback: Feedback;
  /** Number of worked examples at the start of each prompt; defaults to none. */
  readonly fewShot?: number;
  /** Whether enumerated edits compete with whole functions. */
  readonly search?: { readonly joins?: boolean | undefined } | undefined;
  /** Defaults to the whole function; not used by the agent `tools` and by protocols. */
  readonly answer?: AnswerFormat | undefined;
  /** A published protocol instead of the agent's own prompts; requires the agent `one-shot`. */
  readonly protocol?: Protocol | undefined;
  /** Format of the protocol's prompt; defaults to `chat`. */
  readonly template?: PromptTemplate | undefined;
}
