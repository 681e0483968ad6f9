import type { ToolCall } from '../../../core/ports.ts';
import { parseJson } from '../../../files/untrusted-file.ts';
import { backendCutOff, backendReplyInvalid, RequestFailure } from '../errors.ts';
import { shortened } from './error-body.ts';
import { readEvents } from './read-body.ts';
import { type CallPart, type ReplyPart, readReplyPart, type Usage } from './reply-part.ts';

/** The result of a request before its tokens are counted. */
export interface Reply {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** What the server reported separately from the answer. */
  readonly thoughts: string;
  /** `filter`: the server's content filter ended the answer. */
  readonly finish: 'stop' | 'length' | 'filter';
  /** Null if the server does not report it. */
  readonly usage: Usage | null;
}

export interface ReplySource {
  readonly body: AsyncIterable<Uint8Array>;
  readonly contentType: string;
  readonly address: string;
  /** Redacts keys in the server's output. */
  readonly redact: (text: string) => string;
  readonly onText: (piece: string) => void;
}

/**
 * Reads a reply with status 200, streamed or complete; servers may send either with any content type. Rejects
 * with a RequestFailure, an ErrorInReply or the connection's error.
 */
export async function readReply(source: ReplySource): Promise<Reply> {
  if (source.contentType.includes('text/event-stream')) return await readStream(source, source.body);
  const body = await readText(source.body);
  if (/^(data|event|error|id|retry)?:/.test(body.trimStart()))
    return await readStream(source, [Buffer.from(body)]);
  const reply = createReply(source);
  reply.add(readPart(source, body));
  return reply.end();
}

async function readStream(source: ReplySource, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const reply = createReply(source);
  for await (const { data, isError } of readEvents(chunks)) {
    if (data.trim() === '[DONE]') return reply.end();
    if (isError) throw new ErrorInReply(data);
    if (!KEPT_ALIVE.test(data)) reply.add(readPart(source, data));
  }
  if (!reply.isFinished()) throw new RequestFailure(backendCutOff(source.address), RETRY);
  return reply.end();
}

/** Empty data and words that only keep the connection open. */
const KEPT_ALIVE = /^\s*(?:(?:null|""|\[?"?(?:ping|keep-?alive|heartbeat)"?\]?)\s*)?$/i;

function createReply(source: ReplySource) {
  let [text, thoughts, finish, hasChoice] = ['', '', '', false];
  let usage: Usage | null = null;
  const toolCalls = createToolCalls();
  return {
    /** @throws ErrorInReply if the part says that the server failed. */
    add(part: ReplyPart): void {
      if (part.error !== null) throw new ErrorInReply(part.error);
      if (FAILED.test(part.finish)) throw new ErrorInReply(failedAnswer(part.finish));
      if (part.text !== '') source.onText(part.text);
      text += part.text;
      thoughts += part.thoughts;
      toolCalls.add(part.calls);
      finish = part.finish || finish;
      usage = part.usage ?? usage;
      hasChoice ||= part.hasChoice;
    },
    isFinished: () => finish !== '',
    end(): Reply {
      if (!hasChoice) throw invalid(source, 'has no choices');
      return { text, toolCalls: toolCalls.all(), thoughts, finish: finishOf(finish), usage };
    },
  };
}

/** Reasons that mean that the server gave up: OpenRouter, Mistral; SGLang and vLLM; DeepSeek; GLM. */
const FAILED = /^(error|abort(ed)?|cancell?ed|insufficient_system_resource|network_error)$/;

function failedAnswer(finish: string): string {
  return JSON.stringify({ error: { message: `it ended its answer with the reason ${finish}`, code: 503 } });
}

/** OpenAI and most others; Mistral; Gemini and Anthropic. */
function finishOf(reason: string): Reply['finish'] {
  if (/^(length|model_length|max_(output_|new_)?tokens)$/.test(reason)) return 'length';
  return /^(content_filter|safety|recitation|prohibited_content|blocklist|sensitive|refusal)$/.test(reason)
    ? 'filter'
    : 'stop';
}

/** Assembles calls from streamed chunks. */
function createToolCalls() {
  const calls: { name: string; arguments: string }[] = [];
  return {
    add(pieces: readonly CallPart[]): void {
      for (const piece of pieces) {
        const index = piece.index ?? calls.length;
        const call = calls[index] ?? { name: '', arguments: '' };
        calls[index] = { name: call.name + piece.name, arguments: call.arguments + piece.arguments };
      }
    },
    /** Some servers omit the index. */
    all: (): ToolCall[] => Object.values(calls),
  };
}

function readPart(source: ReplySource, data: string): ReplyPart {
  const json = parseJson(data);
  if (json === undefined) throw notJson(source, data);
  const part = readReplyPart(json);
  if (part !== null) return part;
  throw invalid(source, `is not a chat completion: ${shortened(source.redact(data))}`);
}

/** The server failed after sending status 200; the message is the server's. */
export class ErrorInReply extends Error {
  override readonly name = 'ErrorInReply';
}

function notJson(source: ReplySource, data: string): RequestFailure {
  const start = shortened(source.redact(data));
  // An HTML page means another server or a wrong address, and stays; broken JSON is transient.
  const page = /^\s*<(!doctype|html|\?xml)/i.test(data);
  const problem = page ? `is a page (${source.contentType || 'no content type'})` : 'is not JSON';
  const error = backendReplyInvalid(source.address, `${problem}: ${start}`);
  return new RequestFailure(error, page ? { do: 'give-up' } : RETRY);
}

function invalid({ address }: ReplySource, problem: string): RequestFailure {
  return new RequestFailure(backendReplyInvalid(address, problem), RETRY);
}

const RETRY = { do: 'retry', waitMs: null } as const;

/** A body as text, up to `limit` bytes; a longer one is cut and no longer valid JSON. */
export async function readText(body: AsyncIterable<Uint8Array>, limit = Infinity): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= limit) break;
  }
  const whole = Buffer.concat(chunks);
  return new TextDecoder().decode(whole.subarray(0, Math.min(limit, whole.length)));
}
