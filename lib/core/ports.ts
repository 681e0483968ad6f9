import type { Language } from './task.ts';
import type { IsolationLevel, Verdict } from './verdict.ts';

/** The two interfaces that an agent is given: something that writes, something that judges. */

export interface Message {
  /** `tool`: what a function that the assistant called gave back. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** Of an assistant's turn: the functions that it called. Each is followed by one message of the role `tool`. */
  readonly toolCalls?: readonly ToolCall[] | undefined;
}

/** A function that a model may call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly name: string;
  /** An object, as the text that the model wrote; JSON if the model did well. */
  readonly arguments: string;
}

export interface GenerateRequest {
  readonly messages: readonly Message[];
  /** 0 is greedy. */
  readonly temperature: number;
  /** Probability mass kept, in (0, 1]; 1 keeps all. */
  readonly topP: number;
  /** Tokens kept; 0 keeps all. */
  readonly topK: number;
  readonly maxNewTokens: number;
  /** Tokens of the prompt and the answer together, of which at least one is the answer's; only local models count them. */
  readonly maxLength?: number | undefined;
  /** The same request with the same seed gives the same text. */
  readonly seed: number;
  /** For models with `nativeTools` alone. */
  readonly tools?: readonly Tool[] | undefined;
  /** What the answer begins with; the completion goes on from there. */
  readonly prefill?: string | undefined;
  /** The text ends before the first of these that it holds. A model may leave that to the caller. */
  readonly stop?: readonly string[] | undefined;
  /**
   * The text also ends with the line that closes its first fenced block, or before the first line after an
   * indented one that is not indented itself: where the function is over. A model may leave that to the caller.
   */
  readonly endAfter?: 'fence' | 'body' | undefined;
  /** The messages' text is the whole prompt: no chat template is put around it. */
  readonly raw?: boolean | undefined;
  /** A model that can think aloud before it answers does; unless given, it is told not to. */
  readonly thinking?: boolean | undefined;
}

export interface Completion {
  readonly text: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Why it ended: an end token, or the cap on new tokens. */
  readonly finish: 'stop' | 'length';
  /** That the model computed, without its wait for other requests; absent if it cannot tell. */
  readonly seconds?: number;
  /** Tokens that were guessed ahead and checked together, and those of them that the model chose too. */
  readonly drafted?: number | undefined;
  readonly accepted?: number | undefined;
  /** Calls that came apart from the text; a local model writes its calls as text. */
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** It was kept from an earlier request and cost nothing. */
  readonly cached?: boolean;
}

/** Asks for the likeliest answers instead of one. */
export interface BeamRequest {
  readonly messages: readonly Message[];
  /** How many hypotheses are kept at each step, and at most come back. */
  readonly beams: number;
  readonly maxNewTokens: number;
  readonly prefill?: string | undefined;
  readonly outline?: Outline | undefined;
}

/** All answers that are of use: after the prefill comes one of `whole`, or one of `beginnings` and then anything. */
export interface Outline {
  readonly beginnings: readonly string[];
  readonly whole: readonly string[];
}

export interface Beam {
  readonly text: string;
  /** Natural logarithm of the joint probability of its tokens, the end token's included. */
  readonly logLikelihood: number;
}

export interface BeamCompletion {
  /** Those that ended by themselves, the likeliest first. */
  readonly beams: readonly Beam[];
  readonly promptTokens: number;
  /** All that were computed, of dropped hypotheses too. */
  readonly completionTokens: number;
  readonly seconds: number;
}

/** Asks how likely the model would give each of these answers. */
export interface ScoreRequest {
  readonly messages: readonly Message[];
  readonly answers: readonly string[];
  /** How many of the likeliest are wanted, which may cost less than all; all unless given. */
  readonly most?: number | undefined;
  /** They go on with the last message instead of answering it, and are not over: no end token is counted. */
  readonly continues?: boolean | undefined;
}

export interface Scores {
  /**
   * Natural logarithms of the joint probabilities of the answers' tokens and an end token after them, in order;
   * minus infinity for answers that are not wanted.
   */
  readonly logLikelihoods: readonly number[];
  readonly promptTokens: number;
  /** All that were computed. */
  readonly completionTokens: number;
  readonly seconds: number;
}

export interface GenerateOptions {
  readonly signal?: AbortSignal;
  /** Called with each new piece of text as it is decoded. */
  readonly onText?: (piece: string) => void;
}

export interface TextModel {
  /** For people and records: `hefix-mini`, `Qwen/Qwen2.5-Coder-0.5B-Instruct`. */
  readonly name: string;
  /** Changes whenever the answers may change: a hash of the weights, a server's address and model. */
  readonly fingerprint: string;
  /** It takes `tools` and messages of the role `tool`; to others, tools are explained in words. */
  readonly nativeTools?: boolean | undefined;
  /** How it was taught to answer: the whole function, or edits of it. The whole function unless given. */
  readonly answer?: 'whole' | 'edit' | undefined;
  /** The languages that it was taught; unknown unless given. */
  readonly languages?: readonly string[] | undefined;
  /** Absent where the likelihoods of tokens cannot be seen: a server, a script. */
  beams?(request: BeamRequest, options?: Pick<GenerateOptions, 'signal'>): Promise<BeamCompletion>;
  /** Absent where `beams` is. */
  score?(request: ScoreRequest, options?: Pick<GenerateOptions, 'signal'>): Promise<Scores>;
  /** Rejects with a HefixError if the model failed, with the signal's reason if aborted. */
  generate(request: GenerateRequest, options?: GenerateOptions): Promise<Completion>;
  close(): Promise<void>;
}

export interface ExecuteRequest {
  readonly language: Language;
  readonly candidate: string;
  readonly tests: string;
  readonly entryPoint: string;
  /**
   * The task's own imports and helpers, up to the entry point's header line. Where the tests use a helper, it is
   * this one: a candidate that rewrites it cannot change what the tests compare with.
   */
  readonly declaration?: string;
  /** `proven` unless given: see `JudgeKind`. */
  readonly judge?: JudgeKind | undefined;
}

/**
 * `proven`: the process that decides runs no candidate code. `isolated`: tests and candidate run in one process inside
 * the isolation level, for projects whose tests two processes cannot judge; a candidate could forge such a verdict.
 */
export const judgeKinds = ['proven', 'isolated'] as const;
export type JudgeKind = (typeof judgeKinds)[number];

export interface Execution {
  readonly verdict: Verdict;
  /** How it was reached; `proven` if absent. */
  readonly judge?: JudgeKind | undefined;
  /** What the candidate wrote, shortened, invalid UTF-8 replaced. */
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes that the candidate wrote and that were dropped. */
  readonly droppedBytes: number;
  /** The candidate's exit status, 128 + N if signal N ended it; null if it was still alive. */
  readonly exitCode: number | null;
  readonly seconds: number;
  readonly isolation: IsolationLevel;
}

export interface SyntaxFault {
  readonly message: string;
  /** 1-based. */
  readonly line: number;
}

export interface Sandbox {
  readonly isolation: IsolationLevel;
  /** One sentence on what is not isolated and how to get it; null or absent if nothing is open. */
  readonly warning?: string | null;
  /** What runs candidates, since verdicts may depend on it: `Python 3.11.7`. */
  readonly runtime?: string | undefined;
  /** Parses without running: the language's own parser decides. Null if the code parses. */
  checkSyntax(language: Language, code: string, signal?: AbortSignal): Promise<SyntaxFault | null>;
  /** Rejects with a HefixError if the sandbox failed or the tests are at fault, never for a bad candidate. */
  execute(request: ExecuteRequest, signal?: AbortSignal): Promise<Execution>;
  close(): Promise<void>;
}
