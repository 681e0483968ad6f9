import type { HefixError } from '../../core/errors.ts';
import type { Dialect } from './chat-request.ts';

/** What a failure means for the request. */
export type NextStep =
  | { readonly do: 'give-up' }
  /** Waits in milliseconds; null leaves them to the backoff. */
  | { readonly do: 'retry'; readonly waitMs: number | null }
  | { readonly do: 'rest-key'; readonly waitMs: number | null }
  | { readonly do: 'drop-key' }
  | { readonly do: 'adapt'; readonly dialect: Partial<Dialect> };

/** One try of a request failed: what people are told if it was the last, and what to do next. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly error: HefixError;
  readonly next: NextStep;

  constructor(error: HefixError, next: NextStep) {
    super(error.message);
    this.error = error;
    this.next = next;
  }
}
