import { z } from 'zod';
import type { ToolCall } from '../../../core/ports.ts';
import { parseJson } from '../../../files/parse-json.ts';
import { backendCutOff, backendReplyInvalid, RequestFailure } from '../errors.ts';
import { shortened } from './error-body.ts';
import { readEvents } from './read-body.ts';

/** The result of a request before its tokens are counted. */
export interface Reply {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** Whether the server reported thoughts separately from the answer. */
  readonly thought: boolean;
  readonly finish: 'stop' | 'length';
  /** Null if the server does not report it. */
  readonly usage: {
    readonly prompt: number;
    readonly completion: number;
    /** Cached prompt tokens that the server left out of its count; most servers include them. */
    readonly cachedApart: number;
  } | null;
}

export interface ReplySource {
  readonly body: AsyncIterable<Uint8Array>;
  readonly contentType: string;
  readonly address: string;
  /** Redacts keys in the server's output. */
  readonly redact: (text: string) => string;
  readonly onText: (piece: string) => void;
}

const count = z.number().int().nonnegative();
const textSchema = z.object({
  content: z.string().nullish(),
  /** The model's thoughts, under either name; not part of the answer. */
  reasoning: z.unknown().optional(),
  reasoning_content: z.unknown().optional(),
  tool_calls: z
    .array(
      z.object({
        /** For a streamed chunk: the call that it belongs to. */
        index: z.number().int().nonnegative().optional(),
        function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).optional(),
      }),
    )
    .nullish(),
});
const replySchema = z.object({
  choices: z.array(
    z.object({
      /** Set in a complete reply. */
      message: textSchema.nullish(),
      /** Set in a streamed chunk. */
      delta: textSchema.nullish(),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count.default(0),
      prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish(),
    })
    .nullish(),
});
type Part = z.infer<typeof replySchema>;

/**
 * Reads a reply with status 200, streamed or complete; servers may send either with any content type. Rejects
 * with a RequestFailure or the connection's error.
 */
export async function readReply(source: ReplySource): Promise<Reply> {
  if (source.contentType.includes('text/event-stream')) return await readStream(source, source.body);
  const body = await readText(source.body);
  if (/^(data|event|id|retry)?:/.test(body.trimStart())) return await readStream(source, [Buffer.from(body)]);
  const part = readPart(source, body, 'the reply');
  const choice = part.choices[0];
  if (choice?.message == null) throw invalid(source, 'has no choices');
  const text = choice.message.content ?? '';
  if (text !== '') source.onText(text);
  const toolCalls = createToolCalls();
  toolCalls.add(choice.message.tool_calls);
  const thought = hasThought(choice.message);
  const finish = finishOf(choice.finish_reason);
  return { text, toolCalls: toolCalls.all(), thought, finish, usage: usageOf(part) };
}

async function readStream(source: ReplySource, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  let text = '';
  const toolCalls = createToolCalls();
  let finish: string | null = null;
  let usage: Reply['usage'] = null;
  let done = false;
  let any = false;
  let thought = false;
  for await (const data of readEvents(chunks)) {
    if (data.trim() === '[DONE]') {
      done = true;
      break;
    }
    const part = readPart(source, data, 'a piece of the stream');
    const choice = part.choices[0];
    const piece = choice?.delta?.content ?? '';
    if (piece !== '') source.onText(piece);
    text += piece;
    toolCalls.add(choice?.delta?.tool_calls);
    any ||= choice !== undefined;
    thought ||= hasThought(choice?.delta);
    finish = choice?.finish_reason ?? finish;
    usage = usageOf(part) ?? usage;
  }
  if (!done && finish === null) throw new RequestFailure(backendCutOff(source.address), RETRY);
  if (!any) throw invalid(source, 'has no choices');
  return { text, toolCalls: toolCalls.all(), thought, finish: finishOf(finish), usage };
}

function hasThought(text: z.infer<typeof textSchema> | null | undefined): boolean {
  return Boolean(text?.reasoning || text?.reasoning_content);
}

/** Assembles calls from streamed chunks; a chunk without an index is a separate call. */
function createToolCalls() {
  const calls: { name: string; arguments: string }[] = [];
  return {
    add(pieces: z.infer<typeof textSchema>['tool_calls']): void {
      for (const piece of pieces ?? []) {
        const at = piece.index ?? calls.length;
        const known = calls[at] ?? { name: '', arguments: '' };
        const { name, arguments: given } = piece.function ?? {};
        calls[at] = { name: known.name + (name ?? ''), arguments: known.arguments + (given ?? '') };
      }
    },
    /** Some servers omit the index. */
    all: (): ToolCall[] => Object.values(calls),
  };
}

function readPart(source: ReplySource, data: string, what: string): Part {
  const json = parseJson(data);
  if (json === undefined) throw notJson(source, data);
  const parsed = replySchema.safeParse(json);
  if (parsed.success) return parsed.data;
  if (typeof json === 'object' && json !== null && 'error' in json && json.error != null) {
    throw new ErrorInReply(data);
  }
  const issue = parsed.error.issues[0];
  throw invalid(source, `is not a chat completion: ${what}, ${issue?.path.join('.')}: ${issue?.message}`);
}

/** The server failed after sending status 200; the message is the server's. */
export class ErrorInReply extends Error {
  override readonly name = 'ErrorInReply';
}

function notJson(source: ReplySource, data: string): RequestFailure {
  const start = shortened(source.redact(data));
  // An HTML page means another server or a wrong address, and stays; broken JSON is transient.
  const page = /^\s*<(!doctype|html|\?xml)/i.test(data);
  const what = page ? `is a page (${source.contentType || 'no content type'})` : 'is not JSON';
  const error = backendReplyInvalid(source.address, `${what}: ${start}`);
  return new RequestFailure(error, page ? { do: 'give-up' } : RETRY);
}

function invalid({ address }: ReplySource, what: string): RequestFailure {
  return new RequestFailure(backendReplyInvalid(address, what), RETRY);
}

const RETRY = { do: 'retry', waitMs: null } as const;

function usageOf({ usage }: Part): Reply['usage'] {
  if (!usage) return null;
  const { prompt_tokens: prompt, completion_tokens: completion, prompt_tokens_details: details } = usage;
  const cached = details?.cached_tokens ?? 0;
  // A number larger than the total cannot be part of it.
  return { prompt, completion, cachedApart: cached > prompt ? cached : 0 };
}

/** Filtered content and similar reasons end an answer like an end token. */
function finishOf(reason: string | null | undefined): Reply['finish'] {
  return reason === 'length' ? 'length' : 'stop';
}

/** Maximum size of a body; a longer one is cut and no longer valid JSON. */
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
