import type { Completion, GenerateRequest } from '../../../core/ports.ts';
import type { Session } from '../send.ts';
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

/**
 * Removes the prompt that some servers repeat before the answer (those with a plain-text chat template); null
 * if the answer does not start with the prompt. Only earlier messages and short role markers may precede the
 * last message, so that an answer that quotes its prompt further on is left unchanged.
 */
export function withoutEcho({ messages }: GenerateRequest, text: string): string | null {
  const last = messages.at(-1)?.content.trim() ?? '';
  if (last.length < SHORTEST) return null;
  const at = text.indexOf(last);
  if (at === -1) return null;
  const before = messages
    .slice(0, -1)
    .reduce((rest, { content }) => rest.replace(content.trim(), ''), text.slice(0, at));
  if (before.length > messages.length * LONGEST_MARK) return null;
  return text.slice(at + last.length).replace(ANSWER_MARK, '');
}

/** In characters: a shorter message may be the beginning of a genuine answer. */
const SHORTEST = 40;
const LONGEST_MARK = 64;

/**
 * What templates insert between the last message and the answer: `<|im_end|>`, `[/INST]`, `### Response:`,
 * `assistant`.
 */
const ANSWER_MARK =
  /^(?:\s*(?:<[|｜][^\n>]{1,40}>|<\/s>|<(?:start|end)_of_turn>|\[\/INST\]|#{2,} ?(?:response|answer|assistant):?|<?\|?(?:assistant|model)\b\|?>?:?(?=\s)))+[ \t]*\n?/i;
