import pLimit from 'p-limit';
import { backendClosed, backendPromptCut } from '../../core/errors.ts';
import type { Completion, GenerateRequest, TextModel } from '../../core/ports.ts';
import { type ApiKey, redactorOf } from './api-keys.ts';
import { defaultDialect, type SamplingParameter } from './chat-request.ts';
import { openConnections } from './connection.ts';
import { createKeyRing } from './key-ring.ts';
import type { Server } from './providers.ts';
import type { Reply } from './read-reply.ts';
import { ask, type Session } from './send-request.ts';
import { lengthOf, type PromptWatch, watchPrompts } from './truncation.ts';

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
  /** Requests in flight at once. */
  readonly maxConcurrency?: number;
  /** Sampling parameters that are left to the server. */
  readonly omit?: readonly SamplingParameter[];
  /** Told in whole sentences what people should know. */
  readonly warn?: (sentence: string) => void;
  readonly now?: () => Date;
  /** In [0, 1), for the jitter of waits. */
  readonly random?: () => number;
}

/**
 * A model behind an OpenAI-compatible chat completions server. Each request is streamed and tried again, after a
 * growing wait or the one that the server asks for, when the server fails, limits its keys or loses the connection.
 * If an answer is cut off, its text is streamed again from the start.
 * `generate` rejects with the BACKEND_ errors, none of which shows a key.
 */
export function createServerModel(options: ServerModelOptions): TextModel {
  const { server, model, keys, omit = [], now = () => new Date(), random = Math.random } = options;
  const warn = once(options.warn ?? (() => {}));
  const session: Session = {
    server,
    model,
    omit,
    maxTries: options.maxTries ?? 3,
    requestTimeout: options.requestTimeout ?? 300,
    dispatcher: openConnections(server.baseUrl),
    keys: createKeyRing(keys, now, random),
    limit: pLimit(options.maxConcurrency ?? 8),
    redact: redactorOf(keys),
    dialect: { ...defaultDialect, thinking: server.isOllama ? 'effort' : 'template' },
    warn,
    now,
    random,
  };
  const prompts = watchPrompts(server.isOllama);
  let closed = false;
  return {
    name: model,
    fingerprint: [server.baseUrl, model, ...(omit.length > 0 ? [`without ${omit.join(', ')}`] : [])].join(
      ' ',
    ),
    nativeTools: !omit.includes('tools'),
    async generate(request, { signal, onText } = {}) {
      if (closed) throw backendClosed(server.baseUrl);
      const reply = await ask(session, request, { signal, onText });
      checkUsage(session, prompts, request, reply);
      const { text } = reply;
      // The mark tells a thought from an answer, here as in other models.
      return completionOf(
        isUnendedThought(model, reply) ? { ...reply, text: `<think>\n${text}` } : reply,
        request,
      );
    },
    async close() {
      closed = true;
      await session.dispatcher.destroy();
    },
  };
}

/** @throws HefixError (`BACKEND_CONTEXT_TOO_LONG`) if the server cannot have read the whole prompt. */
function checkUsage(
  { server: { baseUrl }, model, warn }: Session,
  prompts: PromptWatch,
  request: GenerateRequest,
  { usage }: Reply,
): void {
  if (!usage) {
    warn(`${baseUrl} reports no usage: tokens are estimated, at four characters each.`);
    return;
  }
  const reading = prompts.look(request, usage.prompt + usage.cachedApart);
  if (reading.read === 'in-part') {
    throw backendPromptCut(baseUrl, model, usage.prompt, reading.least);
  }
  if (reading.read === 'in-part-perhaps') {
    warn(
      `${baseUrl} counted ${usage.prompt} tokens in a prompt of ${lengthOf(request)} characters: it may have read a part alone; set its context to more tokens.`,
    );
  }
}

/**
 * Some templates begin the thought themselves, so that its text has no mark but the one at its end: an answer
 * that was cut before that mark is all thought. A server that tells thoughts from answers leaves the marks out.
 */
function isUnendedThought(model: string, { text, thought, finish }: Reply): boolean {
  return finish === 'length' && !thought && !/<\/?think>/.test(text) && ALWAYS_THINKS.test(model);
}

/** Qwen3-4B-Thinking-2507, DeepSeek-R1-Distill-Qwen-1.5B, QwQ-32B. */
const ALWAYS_THINKS = /thinking|\br1\b|qwq/i;

function completionOf({ text, toolCalls, finish, usage }: Reply, request: GenerateRequest): Completion {
  const written = toolCalls.reduce((sum, call) => sum + call.arguments.length, text.length);
  return {
    text,
    promptTokens: usage?.prompt ?? Math.ceil(lengthOf(request) / CHARACTERS_PER_TOKEN),
    completionTokens: usage?.completion ?? Math.ceil(written / CHARACTERS_PER_TOKEN),
    finish,
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
  };
}

/** A rule of thumb for English and code. */
const CHARACTERS_PER_TOKEN = 4;

/** Tells each sentence once. */
function once(tell: (sentence: string) => void): (sentence: string) => void {
  const told = new Set<string>();
  return sentence => {
    if (told.has(sentence)) return;
    told.add(sentence);
    tell(sentence);
  };
}
