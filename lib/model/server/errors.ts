import { HefixError } from '../../core/errors.ts';
import type { Dialect } from './chat-request.ts';

/** `names`: the environment variables that were checked. */
export function backendKeyMissing(address: string, names: readonly string[]): HefixError {
  return new HefixError(
    'BACKEND_KEY_MISSING',
    `${address} needs an API key, and none is set.`,
    `Set ${names.join(' or ')} in the environment or in .env, or name another variable with --api-key-env.`,
  );
}

export function backendKeyInvalid(name: string): HefixError {
  return new HefixError(
    'BACKEND_KEY_INVALID',
    `${name} holds characters that no API key has, such as spaces or line breaks.`,
    'Set it to the key, or to several keys separated by commas.',
  );
}

/** `key` identifies the key without showing it: `OPENAI_API_KEY`, `key 2 of 3 in OPENAI_API_KEY`. */
export function backendKeyRefused(address: string, key: string, reason: string): HefixError {
  return new HefixError(
    'BACKEND_KEY_REFUSED',
    `${address} refused ${key}: ${reason}.`,
    'Check the key, its credit and its rights to the model, or name another variable with --api-key-env.',
  );
}

/** `seconds`: the wait that the server requests; null if unknown. */
export function backendLimited(address: string, reason: string, seconds: number | null): HefixError {
  const wait = seconds === null ? '' : ` and asks to wait ${Math.ceil(seconds)} s`;
  return new HefixError(
    'BACKEND_LIMITED',
    `${address} limits the rate of requests${wait}: ${reason}.`,
    AFTER_LIMIT,
  );
}

/** `limited`: the last rejection. */
export function backendStillLimited(limited: HefixError, waitedSeconds: number): HefixError {
  const refusal = limited.message.replace(/\.$/, '');
  return new HefixError(
    'BACKEND_LIMITED',
    `${refusal}, after ${Math.round(waitedSeconds)} s of waiting.`,
    AFTER_LIMIT,
  );
}

export const RAISE_LIMITS =
  'Or wait longer with --max-wait, set several keys separated by commas, or lower --max-concurrency.';

const AFTER_LIMIT = `Run the same command again later with --resume, and with this run's file as --out; finished tasks are skipped. ${RAISE_LIMITS}`;

/** `reason`: `connection refused`. */
export function backendUnreachable(address: string, reason: string, cause: unknown): HefixError {
  return new HefixError(
    'BACKEND_UNREACHABLE',
    `${address} cannot be reached: ${reason}.`,
    'Check --base-url, and that the server is running and reachable.',
    cause,
  );
}

export function backendTimeout(address: string, seconds: number): HefixError {
  return new HefixError(
    'BACKEND_TIMEOUT',
    `${address} did not finish an answer within ${seconds} s.`,
    'Raise --request-timeout, or lower --max-new-tokens.',
  );
}

export function backendSilent(address: string, seconds: number): HefixError {
  return new HefixError(
    'BACKEND_TIMEOUT',
    `${address} sent nothing for ${seconds} s.`,
    'Check the server; if it is loading a model or reading a long prompt, raise --idle-timeout.',
  );
}

export function backendCutOff(address: string, cause?: unknown): HefixError {
  return new HefixError(
    'BACKEND_CUT_OFF',
    `${address} closed the connection in the middle of an answer.`,
    'Try again later, or more often with --max-tries.',
    cause,
  );
}

export function backendModelUnknown(address: string, model: string, reason: string): HefixError {
  return new HefixError(
    'BACKEND_MODEL_UNKNOWN',
    `${address} has no model ${JSON.stringify(model)}: ${reason}.`,
    'Set --model to the name that the server uses.',
  );
}

/** `problem` ends the sentence: `is not there (404)`, `redirects to https://…`. */
export function backendAddressWrong(address: string, problem: string): HefixError {
  return new HefixError(
    'BACKEND_ADDRESS_WRONG',
    `${address}/chat/completions ${problem}.`,
    'Set --base-url to the part of the address before /chat/completions; it usually ends in /v1.',
  );
}

export function backendContextTooLong(address: string, model: string, reason: string): HefixError {
  return new HefixError(
    'BACKEND_CONTEXT_TOO_LONG',
    `The prompt and its answer do not fit into the context of ${JSON.stringify(model)} at ${address}: ${reason}.`,
    'Lower --max-new-tokens or --iters, or use a model with a longer context.',
  );
}

export function backendParameterRefused(address: string, parameter: string, reason: string): HefixError {
  return new HefixError(
    'BACKEND_PARAMETER_REFUSED',
    `${address} refuses the parameter ${parameter}: ${reason}.`,
    `Give another value, or leave it to the server with --omit ${parameter}.`,
  );
}

export function backendRequestRefused(address: string, status: number, reason: string): HefixError {
  return new HefixError(
    'BACKEND_REQUEST_REFUSED',
    `${address} refused the request with status ${status}: ${reason}.`,
    'Change the setting that the server rejects.',
  );
}

export function backendFailed(address: string, reason: string): HefixError {
  return new HefixError(
    'BACKEND_FAILED',
    `${address} failed: ${reason}.`,
    'Try again later, or more often with --max-tries.',
  );
}

/** `problem` ends the sentence: `is not JSON: …`, `has no choices`. */
export function backendReplyInvalid(address: string, problem: string): HefixError {
  return new HefixError(
    'BACKEND_REPLY_INVALID',
    `The reply of ${address} ${problem}.`,
    'Check that --base-url is the address of an OpenAI-compatible server; it usually ends in /v1.',
  );
}

/** Why an answer has no text. */
export type EmptyReason = 'thoughts' | 'filter' | 'nothing';

export function backendAnswerEmpty(address: string, why: EmptyReason): HefixError {
  return new HefixError('BACKEND_ANSWER_EMPTY', `${address} ${EMPTY[why].problem}.`, EMPTY[why].help);
}

const EMPTY: Readonly<Record<EmptyReason, { readonly problem: string; readonly help: string }>> = {
  thoughts: {
    problem: 'spent all tokens of an answer on thoughts',
    help: 'Raise --max-new-tokens, or start the server or choose the model without thinking.',
  },
  filter: {
    problem: 'filtered an answer out',
    help: "Use another model, or relax the server's content filter.",
  },
  nothing: {
    problem: 'gave an empty answer, without a reason',
    help: "Check the server's chat template and stop words, or use another model.",
  },
};

export function backendClosed(address: string): HefixError {
  return new HefixError('BACKEND_CLOSED', `${address} was used after it was closed.`, 'Open it again.');
}

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
