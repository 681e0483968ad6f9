import type { Completion, GenerateRequest } from '../../../core/ports.ts';
import { withoutEcho } from '../echo.ts';
import type { Session } from '../send-request.ts';
import type { Reply } from './read-reply.ts';
import { lengthOf } from './truncation.ts';

/** The answer without the additions of servers and templates. */
export function readAnswer(
  { server, model, warn }: Pick<Session, 'server' | 'model' | 'warn'>,
  request: GenerateRequest,
  reply: Reply,
): Reply {
  const answer = withoutEcho(request, reply.text);
  if (answer !== null) {
    warn(`${server.baseUrl} repeats the prompt before its answers; hefix removes the repetition.`);
    return { ...reply, text: answer };
  }
  // The marker separates a thought from the answer, as in other models.
  return isUnendedThought(model, reply) ? { ...reply, text: `<think>\n${reply.text}` } : reply;
}

/**
 * Some templates open the thought themselves, so that the text contains only the closing marker: an answer
 * that is cut off before it consists of thought only. Servers that report thoughts separately remove the
 * markers.
 */
function isUnendedThought(model: string, { text, thought, finish }: Reply): boolean {
  return finish === 'length' && !thought && !/<\/?think>/.test(text) && ALWAYS_THINKS.test(model);
}

/** Qwen3-4B-Thinking-2507, DeepSeek-R1-Distill-Qwen-1.5B, QwQ-32B. */
const ALWAYS_THINKS = /thinking|\br1\b|qwq/i;

export function completionOf(
  { text, toolCalls, finish, usage }: Reply,
  request: GenerateRequest,
): Completion {
  const written = toolCalls.reduce((sum, call) => sum + call.arguments.length, text.length);
  return {
    text,
    promptTokens: usage?.prompt ?? Math.ceil(lengthOf(request) / CHARACTERS_PER_TOKEN),
    completionTokens: usage?.completion ?? Math.ceil(written / CHARACTERS_PER_TOKEN),
    finish,
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
  };
}

/** Rule of thumb for English and code. */
const CHARACTERS_PER_TOKEN = 4;

/** A server may echo what it was sent, including the key. */
export function withoutKeys(reply: Reply, redact: (text: string) => string): Reply {
  const toolCalls = reply.toolCalls.map(call => ({
    name: redact(call.name),
    arguments: redact(call.arguments),
  }));
  return { ...reply, text: redact(reply.text), toolCalls };
}
