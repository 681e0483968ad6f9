import type { Batching } from '../../../core/measurements.ts';
import type {
  BeamCompletion,
  BeamRequest,
  Completion,
  GenerateRequest,
  ScoreRequest,
  Scores,
} from '../../../core/ports.ts';
import type { LanguageModelOptions } from '../../language-model.ts';
import type { SentError } from '../../sent-error.ts';

/** Messages between the main thread and the model's thread; `id` identifies a request. */

export type ToWorker =
  | WorkRequest
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'close' };

/** Kinds of requests. */
export interface Work {
  readonly generate: { readonly request: GenerateRequest; readonly result: Completion };
  readonly beams: { readonly request: BeamRequest; readonly result: BeamCompletion };
  readonly score: { readonly request: ScoreRequest; readonly result: Scores };
}

export type WorkRequest = {
  [Kind in keyof Work]: { readonly kind: Kind; readonly id: number; readonly request: Work[Kind]['request'] };
}[keyof Work];

export type FromWorker =
  | ({ readonly kind: 'loaded' } & LoadedModel)
  | { readonly kind: 'not-loaded'; readonly error: SentError }
  | { readonly kind: 'batching'; readonly batching: Batching }
  | { readonly kind: 'text'; readonly id: number; readonly piece: string }
  | { readonly kind: 'done'; readonly id: number; readonly result: Work[keyof Work]['result'] }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SentError };

/** What the model's thread starts with. */
export interface ThreadData {
  readonly options: LanguageModelOptions;
  /** A shared 32-bit counter of text processing; see text-guard.ts. */
  readonly textWork: SharedArrayBuffer;
}

/** What is known about a model once its folder has been read. */
export interface LoadedModel {
  readonly fingerprint: string;
  readonly nativeTools: boolean;
  readonly answer: 'whole' | 'edit';
  readonly languages?: readonly string[] | undefined;
  readonly contextLength: number;
}
