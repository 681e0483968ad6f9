import { type StartTimer, startTimer, unlessAborted, type Wait, wait } from '../../core/async.ts';
import type { SamplingParameter } from '../../core/choices.ts';
import type { GenerateRequest, TextModel } from '../../core/ports.ts';
import { openConnections } from '../../files/hub/connection.ts';
import { defaultDialect } from './chat-request.ts';
import { createConcurrency } from './concurrency.ts';
import { backendClosed, backendModelUnknown, isOverload } from './errors.ts';
import { type ApiKey, createKeyRing, redactedPieces, redactorOf } from './key-ring.ts';
import { createContextSizes } from './ollama-chat.ts';
import type { Server } from './providers.ts';
import { completionOf, type PromptWatch, watchPrompts } from './reply/read-answer.ts';
import type { Reply } from './reply/read-reply.ts';
import type { Session } from './send.ts';
import { ask } from './send-request.ts';
import { askFacts, type ServerFacts } from './server-facts.ts';

export interface ServerModelOptions {
  readonly server: Server;
  /** The server's name for it. */
  readonly model: string;
  /** Used in rotation; empty for a server without keys. */
  readonly keys: readonly ApiKey[];
  /** Attempts per request; switching to another key does not count as an attempt. */
  readonly maxTries?: number;
  /** Time limit of one attempt, in seconds. */
  readonly requestTimeout?: number;
  /** Maximum seconds between two bytes of a streamed answer, and before the first. */
  readonly idleTimeout?: number;
  /** Maximum total seconds that a request waits while the server limits the rate. */
  readonly maxWait?: number;
  /** Maximum number of concurrent requests; fewer are sent while the server is overloaded. */
  readonly maxConcurrency?: number;
  /** Sampling parameters that are left to the server. */
  readonly omit?: readonly SamplingParameter[];
  /** Receives warnings as whole sentences. */
  readonly warn?: (sentence: string) => void;
  /** Receives progress as whole sentences, such as which key is in use, by index. */
  readonly trace?: (sentence: string) => void;
  /** Receives which of several keys a request goes out with, and which are rate-limited. */
  readonly rotated?: (sentence: string) => void;
  readonly now?: () => Date;
  readonly wait?: Wait;
  readonly startTimer?: StartTimer;
  /** In [0, 1), for the jitter of waits. */
  readonly random?: () => number;
}

export interface ServerModel extends TextModel {
  /**
   * Queries the server about itself and the model; the first request does so if this was not called. Rejects
   * with a HefixError (`BACKEND_MODEL_UNKNOWN`) if the server certainly rejects the model.
   */
  open(signal?: AbortSignal): Promise<void>;
}

/**
 * A model behind an OpenAI-compatible chat completions server; Ollama is used through its own API, which
 * supports setting the context size. Requests are streamed, and retried if the server fails, limits its keys
 * or loses the connection, after a growing wait or the one that the server requests. If an answer is cut off,
 * its text is streamed again from the start. `generate` rejects with the BACKEND_ errors; neither errors nor
 * answers contain a key of six characters or more.
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
    concurrency: createConcurrency(options.maxConcurrency ?? 8, isOverload),
    redact: redactorOf(keys),
    dialect: { ...defaultDialect, thinking: server.isOllama ? 'effort' : 'template' },
    ollama: null,
    listed: null,
    reportedUntil: 0,
    warn: once(tell),
    tell,
    trace: options.trace ?? (() => {}),
    rotated: keys.length > 1 ? (options.rotated ?? (() => {})) : () => {},
    now,
    wait: options.wait ?? wait,
    startTimer: options.startTimer ?? startTimer,
    random,
  };
  const prompts = watchPrompts();
  let facts: Promise<ServerFacts> | null = null;
  let contextLength: number | undefined;
  let closed = false;
  const open = async (signal: AbortSignal | undefined) => {
    if (closed) throw backendClosed(server.baseUrl);
    const { dispatcher } = session;
    facts ??= askFacts({ server, model, key: keys[0] ?? null, dispatcher }).then(answered => {
      learnFacts(session, answered);
      // Ollama sets up the context that a request needs.
      contextLength = (answered.ollama ? answered.ollama.longestContext : answered.context) ?? undefined;
      return answered;
    });
    return await unlessAborted(facts, signal);
  };
  return {
    name: model,
    fingerprint: [server.baseUrl, model, ...(omit.length > 0 ? [`without ${omit.join(', ')}`] : [])].join(
      ' ',
    ),
    nativeTools: !omit.includes('tools'),
    get contextLength() {
      return contextLength;
    },
    async open(signal) {
      await open(signal);
    },
    async generate(request, { signal, onText = () => {} } = {}) {
      const { context } = await open(signal);
      const pieces = redactedPieces(keys, onText);
      const reply = await ask(session, request, { signal, onText: pieces.add });
      pieces.end();
      checkUsage(session, prompts, request, reply, session.ollama?.contextFor(request) ?? context);
      return completionOf(reply, request);
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

/** The names with the most words in common with this one: «a, b, c and 12 more». */
function namesLike(name: string, names: readonly string[]): string {
  const wordsOf = (text: string) => text.toLowerCase().split(/[^a-z0-9]+/);
  const wanted = new Set(wordsOf(name));
  const shared = (other: string) => wordsOf(other).filter(word => wanted.has(word)).length;
  const shown = names.toSorted((a, b) => shared(b) - shared(a)).slice(0, MAX_NAMES);
  const rest = names.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const MAX_NAMES = 5;

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
    `${baseUrl} ${suspicion}: it cuts long prompts, or its counts are wrong. Give the server a longer context, or do not trust the token counts.`,
  );
}

/** Reports each message once. */
function once(tell: (sentence: string) => void): (sentence: string) => void {
  const warned = new Set<string>();
  return sentence => {
    if (warned.has(sentence)) return;
    warned.add(sentence);
    tell(sentence);
  };
}
