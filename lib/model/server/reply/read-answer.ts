import type { Completion, GenerateRequest } from '../../../core/ports.ts';
import type { Session } from '../send.ts';
import type { Reply } from './read-reply.ts';

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

/**
 * Detects prompts that a server truncates silently. Token counts are evidence, not proof (proxies leave out
 * cached tokens, some report a constant), so a suspicion only causes a warning.
 */
export interface PromptWatch {
  /**
   * `tokens`: the server's count for the prompt; `context`: the server's reported context, null if unknown.
   * Returns the suspicion as the end of a sentence the first time there is one; otherwise null.
   */
  look(request: GenerateRequest, tokens: number, context: number | null): string | null;
}

export function watchPrompts(): PromptWatch {
  /** The shortest and longest prompt, in characters, for each token count. */
  const lengths = new Map<number, { readonly shortest: number; readonly longest: number }>();
  let isTold = false;
  const tell = (suspicion: string) => {
    isTold = true;
    return suspicion;
  };
  return {
    look(request, tokens, context) {
      if (isTold) return null;
      const length = lengthOf(request);
      const known = lengths.get(tokens) ?? { shortest: length, longest: length };
      const { shortest, longest } = {
        shortest: Math.min(known.shortest, length),
        longest: Math.max(known.longest, length),
      };
      lengths.set(tokens, { shortest, longest });
      if (context !== null && tokens >= context) {
        return tell(
          `counted ${tokens} tokens in a prompt of ${length} characters, all that its context holds`,
        );
      }
      const isLargest = lengths.size > 2 && tokens === Math.max(...lengths.keys());
      if (longest <= shortest * (isLargest ? SAME_AT_THE_TOP : SAME)) return null;
      return tell(
        `counted ${tokens} tokens both in a prompt of ${shortest} characters and in one of ${longest}`,
      );
    },
  };
}

/** Prompts with the same token count may differ by this factor in characters: code is denser than prose. */
const SAME = 1.6;
/** Only at the highest count, which is where truncation would show. */
const SAME_AT_THE_TOP = 1.2;

/** In characters of the prompt. */
export function lengthOf({ messages, prefill = '' }: GenerateRequest): number {
  return messages.reduce((sum, { content }) => sum + content.length, prefill.length);
}
