import { HefixError } from '../errors.ts';
import type { Completion, GenerateRequest } from '../ports.ts';

/** What the main thread and the model's thread say to each other; `id` names a request. */

export type ToWorker =
  | { readonly kind: 'generate'; readonly id: number; readonly request: GenerateRequest }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'close' };

export type FromWorker =
  | ({ readonly kind: 'loaded' } & LoadedModel)
  | { readonly kind: 'not-loaded'; readonly error: SentError }
  | { readonly kind: 'text'; readonly id: number; readonly piece: string }
  | { readonly kind: 'done'; readonly id: number; readonly completion: Completion }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SentError };

/** What is known of a model once its folder is read. */
export interface LoadedModel {
  readonly fingerprint: string;
  readonly nativeTools: boolean;
  readonly answer: 'whole' | 'edit';
}

/** An error as it crosses threads, where classes are lost. `code` is null if it was not a HefixError. */
export interface SentError {
  readonly code: string | null;
  readonly message: string;
  readonly hint: string;
}

export function sendable(error: unknown): SentError {
  if (error instanceof HefixError) return { code: error.code, message: error.message, hint: error.hint };
  return { code: null, message: error instanceof Error ? error.message : String(error), hint: '' };
}
