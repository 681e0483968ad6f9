import type { HefixError } from '../../core/errors.ts';
import type { Dialect } from './chat-request.ts';

/** The consequence of a failure for the request. */
export type NextStep =
  | { readonly do: 'give-up' }
  /** Wait in milliseconds; null uses the backoff. `overload`: the server works, but has too much to do. */
  | { readonly do: 'retry'; readonly waitMs: number | null; readonly overload?: true }
  | { readonly do: 'rest-key'; readonly waitMs: number | null }
  | { readonly do: 'drop-key' }
  | { readonly do: 'adapt'; readonly dialect: Partial<Dialect> };

/** One failed attempt of a request: the error to report if it was the last one, and what to do next. */
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

/** Whether the server said that it has too much to do. */
export function isOverload(error: unknown): boolean {
  if (!(error instanceof RequestFailure)) return false;
  return error.next.do === 'rest-key' || (error.next.do === 'retry' && error.next.overload === true);
}
