import type { Language } from './task.ts';
import type { IsolationLevel, Verdict } from './verdict.ts';

/** The two interfaces that an agent is given: something that writes, something that judges. */

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
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
  /** The same request with the same seed gives the same text. */
  readonly seed: number;
}

export interface Completion {
  readonly text: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Why it ended: an end token, or the cap on new tokens. */
  readonly finish: 'stop' | 'length';
  /** It was kept from an earlier request and cost nothing. */
  readonly cached?: boolean;
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
}

export interface Execution {
  readonly verdict: Verdict;
  /** What the candidate wrote, shortened, invalid UTF-8 replaced. */
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes that the candidate wrote and that were dropped. */
  readonly droppedBytes: number;
  /** The candidate's exit status; null if a signal ended it or it was still alive. */
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
  /** Parses without running: the language's own parser decides. Null if the code parses. */
  checkSyntax(language: Language, code: string, signal?: AbortSignal): Promise<SyntaxFault | null>;
  /** Rejects with a HefixError if the sandbox failed or the tests are at fault, never for a bad candidate. */
  execute(request: ExecuteRequest, signal?: AbortSignal): Promise<Execution>;
  close(): Promise<void>;
}
