import { z } from 'zod';
import type { SamplingParameter } from '../../core/choices.ts';
import type { GenerateRequest, Message, ToolCall } from '../../core/ports.ts';
import { parseJson } from '../../files/untrusted-file.ts';
import { backendCutOff, backendReplyInvalid, RequestFailure } from './errors.ts';
import { shortened } from './reply/error-body.ts';
import { lengthOf } from './reply/read-answer.ts';
import { readLines } from './reply/read-body.ts';
import { ErrorInReply, type Reply, type ReplySource } from './reply/read-reply.ts';
import type { OllamaFacts } from './server-facts.ts';

/**
 * The body of a request to Ollama's own `/api/chat`, which supports what its OpenAI-compatible endpoint does
 * not: setting the context size, and rejecting a prompt that does not fit instead of truncating it
 * (https://github.com/ollama/ollama/blob/main/docs/api.md).
 */
export function ollamaRequest(
  model: string,
  request: GenerateRequest,
  omitted: readonly SamplingParameter[],
  context: number,
  { canThink }: OllamaFacts,
): Readonly<Record<string, unknown>> {
  const { messages, temperature, topP, topK, seed, maxNewTokens, tools, prefill = '' } = request;
  const options: readonly [SamplingParameter, string, number][] = [
    ['temperature', 'temperature', temperature],
    ['top_p', 'top_p', topP],
    // Ollama's default is 40; 0 keeps all.
    ['top_k', 'top_k', topK],
    ['seed', 'seed', seed],
    ['max_tokens', 'num_predict', maxNewTokens],
  ];
  const sent = options.filter(([parameter]) => !omitted.includes(parameter));
  const thinks = canThink && !omitted.includes('reasoning_effort');
  return {
    model,
    messages: [...messages.map(turnOf), ...(prefill === '' ? [] : [{ role: 'assistant', content: prefill }])],
    ...(tools ? { tools: tools.map(tool => ({ type: 'function', function: tool })) } : {}),
    ...(thinks || request.thinking ? { think: request.thinking ?? false } : {}),
    stream: true,
    truncate: false,
    shift: false,
    options: { ...Object.fromEntries(sent.map(([, name, value]) => [name, value])), num_ctx: context },
  };
}

function turnOf({ role, content, toolCalls }: Message) {
  if (!toolCalls) return { role, content };
  const calls = toolCalls.map(({ name, arguments: argumentText }) => ({
    function: { name, arguments: parseJson(argumentText) ?? {} },
  }));
  return { role, content, tool_calls: calls };
}

/**
 * Chooses the context size for each request, in tokens: at least the model's default and 8,192, large enough
 * for the prompt and its answer, and at most the model's maximum. It never shrinks: each change reloads the
 * model.
 */
export function createContextSizes({ longestContext, defaultContext }: OllamaFacts) {
  let size = Math.max(defaultContext ?? 0, SMALLEST);
  return (request: GenerateRequest): number => {
    const needed = Math.ceil(lengthOf(request) / MIN_CHARACTERS_PER_TOKEN) + request.maxNewTokens;
    while (size < needed) size *= 2;
    size = Math.min(size, longestContext ?? size);
    return size;
  };
}

const SMALLEST = 8192;
/** Prompts with code have more, so that the context is rather too large. */
const MIN_CHARACTERS_PER_TOKEN = 2;

const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(null);
const count = lenient(z.number().int().nonnegative());
const lineSchema = z.object({
  message: lenient(
    z.object({
      content: lenient(z.string()),
      thinking: lenient(z.string()),
      tool_calls: lenient(
        z.array(z.object({ function: z.object({ name: z.string(), arguments: z.unknown().optional() }) })),
      ),
    }),
  ),
  done: z.boolean().catch(false),
  done_reason: lenient(z.string()),
  prompt_eval_count: count,
  eval_count: count,
});

/** Reads a reply of `/api/chat`: one JSON object per line. Rejects as `readReply` does. */
export async function readOllamaReply(source: ReplySource): Promise<Reply> {
  let [text, thoughts] = ['', ''];
  const toolCalls: ToolCall[] = [];
  for await (const line of readLines(source.body)) {
    const part = readPart(source, line);
    const { content, thinking, tool_calls: calls } = part.message ?? {};
    if (content) source.onText(content);
    text += content ?? '';
    thoughts += thinking ?? '';
    for (const { function: called } of calls ?? []) {
      toolCalls.push({ name: called.name, arguments: argumentsText(called.arguments) });
    }
    if (!part.done) continue;
    const { done_reason: reason, prompt_eval_count: prompt, eval_count: completion } = part;
    const usage = prompt == null ? null : { prompt, completion: completion ?? 0, cachedApart: 0 };
    return { text, toolCalls, thoughts, finish: reason === 'length' ? 'length' : 'stop', usage };
  }
  throw new RequestFailure(backendCutOff(source.address), RETRY);
}

function argumentsText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? {});
}

function readPart({ address, redact }: ReplySource, line: string): z.infer<typeof lineSchema> {
  const json = parseJson(line);
  if (typeof json === 'object' && json !== null && 'error' in json) throw new ErrorInReply(line);
  const part = lineSchema.safeParse(json);
  if (part.success) return part.data;
  const problem = json === undefined ? 'is not JSON' : 'is not a reply of Ollama';
  throw new RequestFailure(backendReplyInvalid(address, `${problem}: ${shortened(redact(line))}`), RETRY);
}

const RETRY = { do: 'retry', waitMs: null } as const;
