import type { Batching, Exactness } from './measurements.ts';
import type { Language } from './task.ts';
import type { AssertionCounts, IsolationLevel, Verdict } from './verdict.ts';

/** The two interfaces that an agent uses: a model that writes and a sandbox that judges. */

export interface Message {
  /** `tool`: the result of a function that the assistant called. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /**
   * For an assistant turn: the functions that it called. Each is followed by one message with the role
   * `tool`.
   */
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
  /** The model's text, which should be a JSON object. */
  readonly arguments: string;
}

export interface GenerateRequest {
  readonly messages: readonly Message[];
  /** 0 is greedy. */
  readonly temperature: number;
  /** Probability mass to keep, in (0, 1]; 1 keeps everything. */
  readonly topP: number;
  /** Number of tokens to keep; 0 keeps all. */
  readonly topK: number;
  readonly maxNewTokens: number;
  /**
   * Maximum tokens of prompt and answer together, at least one for the answer; only local models support it.
   */
  readonly maxLength?: number | undefined;
  /** A local model gives the same text for the same request with the same seed, up to rounding; servers may not. */
  readonly seed: number;
  /** Only for models with `nativeTools`. */
  readonly tools?: readonly Tool[] | undefined;
  /** The beginning of the answer, which the completion continues. */
  readonly prefill?: string | undefined;
  /** The text ends before the first of these strings. A model may leave this to the caller. */
  readonly stop?: readonly string[] | undefined;
  /**
   * The text also ends with the line that closes its first fenced block, or before the first unindented line
   * after an indented one, that is, at the end of the function. A model may leave this to the caller.
   */
  readonly endAfter?: 'fence' | 'body' | undefined;
  /**
   * A grammar of the answer in GBNF, the notation of llama.cpp. Only for servers: one that knows no grammars may ignore it,
   * and so do local models.
   */
  readonly grammar?: string | undefined;
  /** The message is the whole prompt; no chat template is applied. */
  readonly raw?: boolean | undefined;
  /** Whether a reasoning model may think before it answers; defaults to false. */
  readonly thinking?: boolean | undefined;
}

export interface Completion {
  readonly text: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Why it ended: the answer was complete, or the limit on new tokens. */
  readonly finish: 'stop' | 'length';
  /** Time of computation, without waiting for other requests; absent if unknown. */
  readonly seconds?: number;
  /** Tokens that were drafted, and how many of them were accepted. */
  readonly drafted?: number | undefined;
  readonly accepted?: number | undefined;
  /** Tool calls that were returned separately from the text; local models write calls as text. */
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** Taken from the reply cache at no cost. */
  readonly cached?: boolean;
}

/** Asks for the likeliest answers instead of one. */
export interface BeamRequest {
  readonly messages: readonly Message[];
  /** Number of hypotheses kept at each step, and the maximum number returned. */
  readonly beams: number;
  readonly maxNewTokens: number;
  readonly prefill?: string | undefined;
  readonly outline?: Outline | undefined;
}

/**
 * All useful answers: after the prefill comes one of `whole`, or one of `beginnings` followed by any text.
 */
export interface Outline {
  readonly beginnings: readonly string[];
  readonly whole: readonly string[];
}

export interface Beam {
  readonly text: string;
  /** Log probability of its tokens, including the end token. */
  readonly logLikelihood: number;
}

export interface BeamCompletion {
  /** The hypotheses that ended, likeliest first. */
  readonly beams: readonly Beam[];
  readonly promptTokens: number;
  /** All computed tokens, including those of dropped hypotheses. */
  readonly completionTokens: number;
  readonly seconds: number;
  /** Taken from the reply cache at no cost. */
  readonly cached?: boolean;
}

/** Asks for the likelihoods of given answers. */
export interface ScoreRequest {
  readonly messages: readonly Message[];
  readonly answers: readonly string[];
  /** How many of the likeliest answers are needed, which may save work; all if omitted. */
  readonly limit?: number | undefined;
  /**
   * The answers continue the last message instead of answering it, and are incomplete: no end token is
   * scored.
   */
  readonly continues?: boolean | undefined;
}

export interface Scores {
  /**
   * Log probabilities of the answers' tokens and an end token, in order; minus infinity for answers that are
   * not needed.
   */
  readonly logLikelihoods: readonly number[];
  readonly promptTokens: number;
  /** All computed tokens. */
  readonly completionTokens: number;
  readonly seconds: number;
  /** Taken from the reply cache at no cost. */
  readonly cached?: boolean;
}

export interface GenerateOptions {
  readonly signal?: AbortSignal;
  /** Called with each piece of text as it is decoded. */
  readonly onText?: (piece: string) => void;
}

export interface TextModel {
  /** Display name: `hefix-mini`, `Qwen/Qwen2.5-Coder-0.5B-Instruct`. */
  readonly name: string;
  /** Changes whenever answers may change: a hash of the weights, or a server's address and model. */
  readonly fingerprint: string;
  /**
   * Whether it accepts `tools` and messages with the role `tool`; for other models, tools are explained in
   * the prompt.
   */
  readonly nativeTools?: boolean | undefined;
  /** The answer form that it was trained on: the whole function (the default) or edits. */
  readonly answer?: 'whole' | 'edit' | undefined;
  /** The languages that it was trained on; unknown if omitted. */
  readonly languages?: readonly string[] | undefined;
  /** The execution provider that computes it; absent unless it runs on this system. */
  readonly device?: string | undefined;
  /** Tokens of a prompt and its answer together that it can take; absent if unknown, as for many servers. */
  readonly contextLength?: number | undefined;
  /** How closely its weights follow the float ones; absent unless hefix built the graph. */
  readonly exactness?: Exactness | undefined;
  /** Whether passes of several requests are batched; null while it is unknown. Only local models batch. */
  readonly batching?: (() => Batching | null) | undefined;
  /** Absent if token likelihoods are not available, as with servers and scripts. */
  beams?(request: BeamRequest, options?: Pick<GenerateOptions, 'signal'>): Promise<BeamCompletion>;
  /** Absent if `beams` is. */
  score?(request: ScoreRequest, options?: Pick<GenerateOptions, 'signal'>): Promise<Scores>;
  /** Rejects with a HefixError if the model failed, or with the signal's reason if aborted. */
  generate(request: GenerateRequest, options?: GenerateOptions): Promise<Completion>;
  close(): Promise<void>;
}

export interface ExecuteRequest {
  readonly language: Language;
  readonly candidate: string;
  readonly tests: string;
  readonly entryPoint: string;
  /**
   * The task's own imports and helpers, up to the entry point's header. Helpers that the tests use come from
   * here, so that a candidate cannot change what the tests compare with.
   */
  readonly declaration?: string;
  /**
   * The run's seed, 0 by default. With the texts of tests and candidate, it decides the random numbers of tests that
   * set no seed themselves.
   */
  readonly seed?: number | undefined;
  /**
   * A program that these tests can judge, usually the task's solution. With it, an error that only the candidate
   * provokes, such as tests that its values make invalid, is a verdict against it. In compiled languages, it gives the
   * entry point's types, if there is no declaration.
   */
  readonly reference?: string | undefined;
  /** Defaults to `auto`; see `JudgeKind`. */
  readonly judge?: RequestedJudge | undefined;
  /** Whether to count assertions after a failure, with the judge `proven`. */
  readonly counts?: boolean | undefined;
}

/**
 * What a caller can ask for. `auto` and `proven`: the task decides which judge gives the verdict; with `proven`, callers
 * do not count a pass of the judge `isolated`. `isolated`: one process for any tests.
 */
export const requestedJudges = ['auto', 'proven', 'isolated'] as const;
export type RequestedJudge = (typeof requestedJudges)[number];

/**
 * How a verdict was reached. `proven`: the process that decides runs no candidate code and exchanges only plain data
 * with the one that does. `isolated`: tests and candidate run in one process inside the isolation level, for tasks
 * that need more than plain data; a candidate could forge such a pass. Which it is follows from the tests, the
 * declaration, what the tests hand over as they run, and what the task's own solution answers.
 */
export const judgeKinds = ['proven', 'isolated'] as const;
export type JudgeKind = (typeof judgeKinds)[number];

/**
 * Whether a verdict counts as solved with the judge that a caller asked for.
 * @param verdict The verdict.
 * @param judge The judge that gave it; proven if omitted.
 * @param requested With `proven`, passes of one process do not count.
 */
export function isSolved(
  { kind }: Pick<Verdict, 'kind'>,
  judge: JudgeKind | undefined,
  requested: RequestedJudge = 'auto',
): boolean {
  return kind === 'passed' && !(requested === 'proven' && judge === 'isolated');
}

export interface Execution {
  readonly verdict: Verdict;
  /** How it was reached; `proven` if absent. */
  readonly judge?: JudgeKind | undefined;
  /** Of a candidate that failed, if requested and if they could be counted. */
  readonly counts?: AssertionCounts | undefined;
  /** The candidate's output, shortened, with invalid UTF-8 replaced. */
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes of output that were dropped. */
  readonly droppedBytes: number;
  /** The candidate's exit status, 128 + N if signal N ended it; null if it was still running. */
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
  /** One sentence on what is not isolated and how to fix that; null or absent if there is nothing to say. */
  readonly warning?: string | null;
  /** The runtime that verdicts may depend on: `Python 3.11.7`. */
  readonly runtime?: string | undefined;
  /**
   * Parses without running, with the language's own parser or compiler. Null if the code is valid. What the task's
   * declaration imports may be left unused.
   */
  checkSyntax(
    language: Language,
    code: string,
    signal?: AbortSignal,
    declaration?: string,
  ): Promise<SyntaxFault | null>;
  /**
   * Rejects with a HefixError if the sandbox failed or the tests are invalid; with a `reference`, never because of
   * the candidate.
   */
  execute(request: ExecuteRequest, signal?: AbortSignal): Promise<Execution>;
  close(): Promise<void>;
}

export type ModelDescription = Pick<
  TextModel,
  | 'name'
  | 'fingerprint'
  | 'nativeTools'
  | 'answer'
  | 'languages'
  | 'device'
  | 'contextLength'
  | 'exactness'
  | 'batching'
>;

/**
 * What describes a model, for one that wraps it.
 *
 * @param model The one that is wrapped.
 */
export function descriptionOf({
  name,
  fingerprint,
  nativeTools,
  answer,
  languages,
  device,
  contextLength,
  exactness,
  batching,
}: TextModel): ModelDescription {
  return { name, fingerprint, nativeTools, answer, languages, device, contextLength, exactness, batching };
}
