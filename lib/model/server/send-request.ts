import { setTimeout as wait } from 'node:timers/promises';
import type { LimitFunction } from 'p-limit';
import type { Dispatcher } from 'undici';
import type { GenerateRequest } from '../../core/ports.ts';
import type { ApiKey } from './api-keys.ts';
import { backoffMs } from './backoff.ts';
import { chatRequest, type Dialect, type SamplingParameter } from './chat-request.ts';
import type { KeyRing } from './key-ring.ts';
import type { Server } from './providers.ts';
import type { Reply } from './read-reply.ts';
import { type NextStep, RequestFailure } from './request-failure.ts';
import { send } from './send.ts';

/** What the requests to one server share. */
export interface Session {
  readonly server: Server;
  readonly model: string;
  readonly omit: readonly SamplingParameter[];
  readonly maxTries: number;
  readonly requestTimeout: number;
  readonly dispatcher: Dispatcher;
  readonly keys: KeyRing;
  readonly limit: LimitFunction;
  readonly redact: (text: string) => string;
  readonly warn: (sentence: string) => void;
  readonly now: () => Date;
  readonly random: () => number;
  /** What was found out about the server so far. */
  dialect: Dialect;
}

interface Asking {
  readonly signal: AbortSignal | undefined;
  readonly onText: ((piece: string) => void) | undefined;
}

/** Sends a request until it is answered or its tries are used up. Rejects with the error of the last try. */
export async function ask(session: Session, request: GenerateRequest, asking: Asking): Promise<Reply> {
  const { keys, limit, maxTries } = session;
  const limited = new Set<ApiKey | null>();
  let tries = 0;
  while (true) {
    const key = await awakeKey(session, asking.signal);
    const { dialect } = session;
    try {
      const reply = await limit(() => sendOnce(session, request, asking, key, dialect));
      keys.worked(key);
      return reply;
    } catch (failure) {
      if (!(failure instanceof RequestFailure)) throw failure;
      if (request.thinking && isWithoutThinking(failure)) throw failure.error;
      const step = nextStep(session, failure, key, dialect, limited);
      if (step.counts && ++tries >= maxTries) throw failure.error;
      await pause(step.waitMs ?? backoffMs(tries, session.random), asking.signal);
    }
  }
}

/** Going on would leave out what was asked for. */
function isWithoutThinking({ next }: RequestFailure): boolean {
  return next.do === 'adapt' && next.dialect.thinking === 'none';
}

interface Step {
  /** Whether the failure uses up a try. */
  readonly counts: boolean;
  /** Null for a wait that grows with each try. */
  readonly waitMs: number | null;
}

/**
 * `limited` are the keys that were limited since the request began.
 * @throws the failure's error if nothing can be done about it.
 */
function nextStep(
  session: Session,
  { error, next }: RequestFailure,
  key: ApiKey | null,
  sent: Dialect,
  limited: Set<ApiKey | null>,
): Step {
  const { keys, warn } = session;
  switch (next.do) {
    case 'give-up':
      throw error;
    case 'adapt':
      if (!adapt(session, sent, next)) throw error;
      if (next.dialect.thinking === 'none') warn(mayThink(session));
      return { counts: false, waitMs: 0 };
    case 'drop-key':
      keys.refuse(key, error);
      if (keys.state() !== 'refused') warn(error.message);
      return { counts: false, waitMs: 0 };
    case 'rest-key': {
      // How long is up to the key: the request waits with it, or goes on with another.
      keys.rest(key, next.waitMs, error);
      const again = limited.has(key);
      limited.add(key);
      return { counts: again || keys.state() !== 'awake', waitMs: 0 };
    }
    case 'retry':
      if ((next.waitMs ?? 0) > LONGEST_WAIT_MS) throw error;
      return { counts: true, waitMs: next.waitMs };
  }
}

/** Ten minutes: a server that asks for more has no use for a program that waits. */
const LONGEST_WAIT_MS = 600_000;

/** @returns whether the request can be put in another way than it was sent. */
function adapt(session: Session, sent: Dialect, { dialect }: NextStep & { do: 'adapt' }): boolean {
  session.dialect = { ...session.dialect, ...dialect };
  const { stream, maxTokensName, thinking } = session.dialect;
  return stream !== sent.stream || maxTokensName !== sent.maxTokensName || thinking !== sent.thinking;
}

function mayThink({ server, model }: Session): string {
  return `${server.baseUrl} cannot be told to keep ${model} from thinking: its thoughts count as new tokens.`;
}

/** The key whose turn it is, once one is awake. */
async function awakeKey({ keys, server, warn }: Session, signal: AbortSignal | undefined) {
  while (true) {
    const turn = keys.next();
    if (turn.state === 'awake') return turn.key;
    if (turn.state === 'refused' || turn.wakesInMs > LONGEST_WAIT_MS) throw turn.error;
    const seconds = Math.ceil(turn.wakesInMs / 1000);
    if (seconds >= WORTH_TELLING) warn(`${server.baseUrl} limits every key: waiting ${seconds} s.`);
    await pause(turn.wakesInMs, signal);
  }
}

/** Seconds. */
const WORTH_TELLING = 5;

async function sendOnce(
  { server, model, dispatcher, redact, now, omit, requestTimeout }: Session,
  request: GenerateRequest,
  { signal, onText = () => {} }: Asking,
  key: ApiKey | null,
  dialect: Dialect,
): Promise<Reply> {
  const body = chatRequest(model, request, omit, dialect);
  const timeoutSeconds = requestTimeout;
  return await send({ server, model, key, body, dispatcher, timeoutSeconds, redact, onText, signal, now });
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (milliseconds === 0) return;
  try {
    // A timer may fire a fraction of a millisecond early, when a key still rests.
    await wait(Math.ceil(milliseconds) + 1, undefined, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
