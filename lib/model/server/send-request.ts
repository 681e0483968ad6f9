import type { GenerateRequest } from '../../core/ports.ts';
import { chatRequest, type Dialect } from './chat-request.ts';
import { backendStillLimited, isOverload, type NextStep, RequestFailure } from './errors.ts';
import { type ApiKey, backoffMs } from './key-ring.ts';
import { ollamaRequest, readOllamaReply } from './ollama-chat.ts';
import { readAnswer, withoutKeys } from './reply/read-answer.ts';
import { maxReplyBytes } from './reply/read-body.ts';
import { type Reply, readReply } from './reply/read-reply.ts';
import { type Session, send, type Try } from './send.ts';
import { rootOf } from './server-facts.ts';

interface Asking {
  readonly signal: AbortSignal | undefined;
  readonly onText: ((piece: string) => void) | undefined;
}

/**
 * Sends a request until it is answered or out of attempts. A server that is overloaded but answers others costs
 * no attempt, only time. Rejects with the error of the last attempt.
 */
export async function ask(session: Session, request: GenerateRequest, asking: Asking): Promise<Reply> {
  const { keys, concurrency, maxTries } = session;
  const waited = { ms: 0 };
  let tries = 0;
  while (true) {
    const key = await awakeKey(session, waited, asking.signal);
    if (key) session.trace(`A request to ${session.server.baseUrl} goes out with ${key.label}.`);
    if (key) session.rotated(`asking with ${key.label}`);
    const { dialect } = session;
    const answered = concurrency.answered();
    try {
      const reply = await concurrency.run(() => sendOnce(session, request, asking, key, dialect));
      keys.worked(key);
      return reply;
    } catch (failure) {
      if (!(failure instanceof RequestFailure)) throw failure;
      if (request.thinking && isWithoutThinking(failure)) throw failure.error;
      if (request.grammar !== undefined && dialect.grammar && isAboutGrammar(failure)) {
        session.dialect = { ...session.dialect, grammar: false };
        continue;
      }
      const step = nextStep(session, failure, key, dialect);
      const isBusy = isOverload(failure) && concurrency.answered() > answered;
      if (step.counts && !isBusy && ++tries >= maxTries) throw failure.error;
      const waitMs = step.waitMs ?? backoffMs(Math.max(1, tries), session.random);
      if (isBusy) waited.ms += waitMs;
      if (waited.ms > session.maxWait * 1000) throw failure.error;
      await pause(session, waitMs, asking.signal);
    }
  }
}

/** A server that refuses a request may not say which of its fields it does not know. */
function isAboutGrammar({ error }: RequestFailure): boolean {
  return error.code === 'BACKEND_REQUEST_REFUSED' || GRAMMAR.test(error.message);
}

const GRAMMAR = /grammar|\bgbnf\b|\bebnf\b|structured[_ ]outputs?|guided[_ ]decoding/i;

/** Continuing would drop a parameter that the user set. */
function isWithoutThinking({ next }: RequestFailure): boolean {
  return next.do === 'adapt' && next.dialect.thinking === 'none';
}

interface Step {
  /** Whether the failure counts as an attempt. */
  readonly counts: boolean;
  /** Null for a wait that grows with each attempt. */
  readonly waitMs: number | null;
}

/** @throws the failure's error if the request cannot be retried. */
function nextStep(
  session: Session,
  { error, next }: RequestFailure,
  key: ApiKey | null,
  sent: Dialect,
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
    case 'rest-key':
      // The request waits for this key, or uses another. Being rate-limited does not count as an attempt.
      keys.rest(key, next.waitMs, error);
      if (key) session.rotated(`${key.label} is rate-limited`);
      return { counts: false, waitMs: 0 };
    case 'retry':
      if ((next.waitMs ?? 0) > session.maxWait * 1000) throw error;
      return { counts: true, waitMs: next.waitMs };
  }
}

/** @returns whether the request can be retried in another form. */
function adapt(session: Session, sent: Dialect, { dialect }: NextStep & { do: 'adapt' }): boolean {
  session.dialect = { ...session.dialect, ...dialect };
  const { stream, maxTokensName, thinking, roles } = session.dialect;
  return (
    stream !== sent.stream ||
    maxTokensName !== sent.maxTokensName ||
    thinking !== sent.thinking ||
    roles !== sent.roles
  );
}

function mayThink({ server, model }: Session): string {
  return `${server.baseUrl} cannot turn off thinking for ${model}: its thoughts count as new tokens.`;
}

/**
 * The next key, as soon as one is available. `waited` is how long the request has waited for keys so far.
 * @throws HefixError (`BACKEND_LIMITED`) before the total wait would exceed `--max-wait`.
 */
async function awakeKey(session: Session, waited: { ms: number }, signal: AbortSignal | undefined) {
  const { keys, maxWait } = session;
  while (true) {
    const turn = keys.next();
    if (turn.state === 'awake') return turn.key;
    if (turn.state === 'refused') throw turn.error;
    if (waited.ms + turn.wakesInMs > maxWait * 1000) {
      throw waited.ms === 0 ? turn.error : backendStillLimited(turn.error, waited.ms / 1000);
    }
    tellWait(session, turn);
    waited.ms += turn.wakesInMs;
    await pause(session, turn.wakesInMs, signal);
  }
}

/** Reports a wait once, however many requests are waiting. */
function tellWait(
  session: Session,
  { wakesInMs, wakesAt }: { readonly wakesInMs: number; readonly wakesAt: number },
): void {
  const seconds = Math.ceil(wakesInMs / 1000);
  if (seconds < WORTH_REPORTING || wakesAt <= session.reportedUntil) return;
  session.reportedUntil = wakesAt;
  session.tell(`${session.server.baseUrl} limits the rate of requests: waiting ${seconds} s.`);
}

/** Seconds. */
const WORTH_REPORTING = 2;

async function sendOnce(
  session: Session,
  request: GenerateRequest,
  { signal, onText = () => {} }: Asking,
  key: ApiKey | null,
  dialect: Dialect,
): Promise<Reply> {
  const call = callOf(session, request, dialect);
  const maxBytes = maxReplyBytes(request.maxNewTokens);
  const reply = await send(session, { ...call, key, signal, onText, maxBytes });
  return readAnswer(session, request, withoutKeys(reply, session.redact));
}

function callOf(
  { server, model, omit, ollama }: Session,
  request: GenerateRequest,
  dialect: Dialect,
): Pick<Try, 'url' | 'body' | 'read'> {
  if (ollama) {
    const body = ollamaRequest(model, request, omit, ollama.contextFor(request), ollama.facts);
    return { url: `${rootOf(server)}/api/chat`, body, read: readOllamaReply };
  }
  const body = chatRequest(model, request, omit, dialect);
  return { url: `${server.baseUrl}/chat/completions`, body, read: readReply };
}

async function pause(
  { wait }: Session,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  // A timer may fire a fraction of a millisecond early, while a key is still resting.
  if (milliseconds > 0) await wait(Math.ceil(milliseconds) + 1, signal);
}
