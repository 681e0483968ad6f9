import type { Dispatcher, Response } from 'undici';
import type { StartTimer, Wait } from '../../core/async.ts';
import { joinSignals, unlessAborted } from '../../core/async.ts';
import { HefixError } from '../../core/errors.ts';
import type { RepositoryKind } from './cache-layout.ts';
import {
  hubFailed,
  hubForbidden,
  hubNotFound,
  hubRateLimited,
  hubUnauthorized,
  hubUnreachable,
} from './errors.ts';
import type { HubSettings } from './hub-settings.ts';

/** The repository of a request, and its limits. */
export interface HubRequester {
  readonly settings: HubSettings;
  readonly kind: RepositoryKind;
  /** Uses the proxy from the environment, if one is set. */
  readonly connections: Dispatcher;
  readonly id: string;
  readonly revision: string;
  readonly signal: AbortSignal | undefined;
  /** Waits before retries, in milliseconds; their number is the number of retries. */
  readonly retryWaits: readonly number[];
  readonly wait: Wait;
  /** A connection without an answer or another byte for this many milliseconds counts as broken. */
  readonly stallMs: number;
  readonly startTimer: StartTimer;
}

/**
 * Requests a URL of the hub until it succeeds; 416 counts as an answer. Failed connections, 429 and 5xx are
 * retried. The token is sent only to the hub and never appears in messages. Throws the HUB_ errors, and the
 * signal's reason if aborted.
 */
export async function hubRequest(
  requester: HubRequester,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { signal, retryWaits, wait } = requester;
  for (let attempt = 0; ; attempt++) {
    const answer = await tryOnce(requester, url, headers);
    if (!('error' in answer)) return answer;
    const pause = retryWaits[attempt];
    const seconds = answer.waitSeconds;
    if (pause === undefined || !answer.retry || (seconds !== null && seconds > LONGEST_WAIT_SECONDS)) {
      throw answer.error;
    }
    await wait(Math.max(pause, (seconds ?? 0) * 1000), signal);
  }
}

/** The repository's web page, which is also the prefix of its files' URLs. */
export function repositoryPage({ settings, kind, id }: HubRequester): string {
  return `${settings.endpoint}/${kind === 'dataset' ? 'datasets/' : ''}${id}`;
}

/** Longer waits are left to the user. */
const LONGEST_WAIT_SECONDS = 60;

interface Failure {
  readonly error: HefixError;
  readonly retry: boolean;
  /** The wait that the hub requests. */
  readonly waitSeconds: number | null;
}

async function tryOnce(
  requester: HubRequester,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response | Failure> {
  const { settings, connections, signal } = requester;
  const isHub = new URL(url).origin === new URL(settings.endpoint).origin;
  const authorization = settings.token !== null && isHub ? { authorization: `Bearer ${settings.token}` } : {};
  const { fetch } = await import('undici');
  let response: Response;
  try {
    const answer = fetch(url, {
      dispatcher: connections,
      // Sizes and ranges must refer to the file, not to a compressed transfer.
      headers: { 'accept-encoding': 'identity', 'user-agent': 'hefix', ...authorization, ...headers },
    });
    response = await beforeStall(answer, requester);
  } catch (error) {
    signal?.throwIfAborted();
    return { error: hubUnreachable(settings.endpoint, rootCause(error)), retry: true, waitSeconds: null };
  }
  if (response.ok || response.status === RANGE_NOT_SATISFIABLE) return response;
  await response.body?.cancel();
  return failureOf(response, requester);
}

const RANGE_NOT_SATISFIABLE = 416;

function failureOf(response: Response, requester: HubRequester): Failure {
  const { settings, id, revision } = requester;
  const { status } = response;
  const final = (error: HefixError): Failure => ({ error, retry: false, waitSeconds: null });
  if (status === 401) return final(hubUnauthorized(id, settings.token !== null));
  if (status === 403) return final(hubForbidden(id, repositoryPage(requester)));
  if (status === 404) return final(hubNotFound(id, revision));
  if (status === 429) {
    const waitSeconds = retryAfter(response.headers.get('retry-after'));
    return { error: hubRateLimited(settings.endpoint, waitSeconds), retry: true, waitSeconds };
  }
  const error = hubFailed(settings.endpoint, `answered with status ${status}`);
  return { error, retry: status >= 500, waitSeconds: null };
}

/** Seconds, or a date. */
function retryAfter(value: string | null): number | null {
  if (value === null) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

/** fetch says «fetch failed», with the reason in its cause. */
export function rootCause(error: unknown): unknown {
  if (error instanceof HefixError) return error;
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  return error instanceof Error && error.cause instanceof Error ? rootCause(error.cause) : error;
}

/**
 * Waits for an answer or its next bytes. Rejects after `stallMs`, or with the signal's reason if aborted;
 * what is still in flight ends when the connections are closed.
 */
export async function beforeStall<T>(
  answer: Promise<T>,
  { stallMs, signal, startTimer }: Pick<HubRequester, 'stallMs' | 'signal' | 'startTimer'>,
): Promise<T> {
  const stall = new AbortController();
  const stopTimer = startTimer(
    () => stall.abort(new Error(`no answer in ${stallMs / 1000} seconds`)),
    stallMs,
  );
  const ended = joinSignals(signal, stall.signal);
  try {
    return await unlessAborted(answer, ended.signal);
  } finally {
    stopTimer();
    ended.release();
  }
}
