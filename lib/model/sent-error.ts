import { HefixError } from '../core/errors.ts';

/** An error serialised between threads and processes, which lose its class. `code` is null unless it was a HefixError. */
export interface SentError {
  readonly code: string | null;
  readonly message: string;
  readonly hint: string;
}

export function sendable(error: unknown): SentError {
  if (error instanceof HefixError) return { code: error.code, message: error.message, hint: error.hint };
  return { code: null, message: error instanceof Error ? error.message : String(error), hint: '' };
}
