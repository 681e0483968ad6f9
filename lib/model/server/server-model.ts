import pLimit from 'p-limit';
import { backendClosed, backendModelUnknown } from '../../core/errors.ts';
import type { GenerateRequest, TextModel } from '../../core/ports.ts';
import { type ApiKey, redactedPieces, redactorOf } from './api-keys.ts';
import { defaultDialect, type SamplingParameter } from './chat-request.ts';
import { openConnections } from './connection.ts';
import { createKeyRing } from './key-ring.ts';
import { createContextSizes } from './ollama-chat.ts';
import type { Server } from './providers.ts';
import { completionOf, readAnswer, withoutKeys } from './read-answer.ts';
import type { Reply } from './read-reply.ts';
import { ask, type Session } from './send-request.ts';
import { askFacts, type ServerFacts } from './server-facts.ts';
import { type PromptWatch, watchPrompts } from './truncation.ts';

export interface ServerModelOptions {
  readonly server: Server;
  /** As the server names it. */
  readonly model: string;
  /** Used in turn; none for a server that needs none. */
  readonly keys: readonly ApiKey[];
  /** How often a request is sent before its failure counts; moving on to another key is no new try. */
  readonly maxTries?: number;
  /** Seconds that one try may take. */
  readonly requestTimeout?: number;
  /** Seconds from one byte of a streamed answer to the next, and to the first. */
  readonly idleTimeout?: number;
  /** Seconds that a request waits in all while the server limits the rate of requests. */
  readonly maxWait?: number;
  /** Requests in flight at once. */
  readonly maxConcurrency?: number;
  /** Sampling parameters that are left to the server. */
  readonly omit?: readonly SamplingParameter[];
  /** Told in whole sentences what people should know. */
  readonly warn?: (sentence: string) => void;
  /** Told in whole sentences what goes on: which key is in turn, by its place. */
  readonly trace?: (sentence: string) => void;
  readonly now?: () => Date;
  /** In [0, 1), for the jitter of waits. */
  readonly random?: () => number;
}

export interface ServerModel extends TextModel {
  /**
   * Asks the server about itself and the model, once; the first request does so unless it was done.
   * Rejects with a HefixError (`BACKEND_MODEL_UNKNOWN`) if the server refuses the model for certain.
   */
  open(signal?: AbortSignal): Promise<void>;
}

/**
 * A model behind an OpenAI-compatible chat completions server; Ollama is asked by its own API, which takes the size
 * of the context. Each request is streamed and tried again, after a growing wait or the one that the server asks
 * for, when the server fails, limits its keys or loses the connection.
 * If an answer is cut off, its text is streamed again from the start.
 * `generate` rejects with the BACKEND_ errors; neither they nor the answers show a key.
 */
export function createServerModel(options: ServerModelOptions): ServerModel {
  const { server, model, keys, omit = [], now = () => new Date(), random = Math.random } = options;
  const tell = options.warn ?? (() => {});
  const session: Session = {
    server,
    model,
    omit,
    maxTries: options.maxTries ?? 3,
    requestTimeout: options.requestTimeout ?? 300,
    idleTimeout: options.idleTimeout ?? 60,
    maxWait: options.maxWait ?? 600,
    dispatcher: openConnections(server.baseUrl),
    keys: createKeyRing(keys, now, random),
    limit: pLimit(options.maxConcurrency ?? 8),
    redact: redactorOf(keys),
    dialect: { ...defaultDialect, thinking: server.isOllama ? 'effort' : 'template' },
    ollama: null,
    listed: null,
    toldUntil: 0,
    warn: once(tell),
    tell,
    trace: options.trace ?? (() => {}),
    now,
    random,
  };
  const prompts = watchPrompts();
  let facts: Promise<ServerFacts> | null = null;
  let closed = false;
  const open = async (signal: AbortSignal | undefined) => {
    if (closed) throw backendClosed(server.baseUrl);
    const { dispatcher } = session;
    facts ??= askFacts({ server, model, key: keys[0] ?? null, dispatcher }).then(known => {
      learnFacts(session, known);
      return known;
    });
    return await unlessAborted(facts, signal);
  };
  return {
    name: model,
    fingerprint: [server.baseUrl, model, ...(omit.length > 0 ? [`without ${omit.join(', ')}`] : [])].join(
      ' ',
    ),
    nativeTools: !omit.includes('tools'),
    async open(signal) {
      await open(signal);
    },
    async generate(request, { signal, onText = () => {} } = {}) {
      const { context } = await open(signal);
      const pieces = redactedPieces(keys, onText);
      const reply = withoutKeys(await ask(session, request, { signal, onText: pieces.add }), session.redact);
      pieces.end();
      checkUsage(session, prompts, request, reply, session.ollama?.contextFor(request) ?? context);
      return completionOf(readAnswer(session, request, reply), request);
    },
    async close() {
      closed = true;
      await session.dispatcher.destroy();
    },
  };
}

/** @throws HefixError (`BACKEND_MODEL_UNKNOWN`) */
function learnFacts(session: Session, { model, models, ollama }: ServerFacts): void {
  const { server, model: name, warn } = session;
  if (ollama) session.ollama = { facts: ollama, contextFor: createContextSizes(ollama) };
  if (model === 'known') return;
  const listed = `it lists ${namesLike(name, models)}`;
  if (model === 'absent') throw backendModelUnknown(server.baseUrl, name, listed);
  session.listed = listed;
  warn(`${server.baseUrl} does not list the model ${JSON.stringify(name)}: ${listed}.`);
}

/** The names that share the most words with this one: «a, b, c and 12 more». */
function namesLike(name: string, names: readonly string[]): string {
  const wordsOf = (text: string) => text.toLowerCase().split(/[^a-z0-9]+/);
  const wanted = new Set(wordsOf(name));
  const shared = (other: string) => wordsOf(other).filter(word => wanted.has(word)).length;
  const shown = names.toSorted((a, b) => shared(b) - shared(a)).slice(0, MOST_NAMES);
  const rest = names.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const MOST_NAMES = 5;

/** Rejects with the signal's reason once it is aborted; the promise goes on for others. */
async function unlessAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  signal?.throwIfAborted();
  if (!signal) return await promise;
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function checkUsage(
  { server: { baseUrl }, warn }: Session,
  prompts: PromptWatch,
  request: GenerateRequest,
  { usage }: Reply,
  context: number | null,
): void {
  if (!usage) {
    warn(`${baseUrl} reports no usage: tokens are estimated, at four characters each.`);
    return;
  }
  const suspicion = prompts.look(request, usage.prompt + usage.cachedApart, context);
  if (suspicion === null) return;
  warn(
    `${baseUrl} ${suspicion}: it cuts long prompts, or its counts are wrong. Give it a longer context, or do not trust the token counts.`,
  );
}

/** Tells each sentence once. */
function once(tell: (sentence: string) => void): (sentence: string) => void {
  const told = new Set<string>();
  return sentence => {
    if (told.has(sentence)) return;
    told.add(sentence);
    tell(sentence);
  };
}
