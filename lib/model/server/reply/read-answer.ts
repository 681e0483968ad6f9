import type { Completion, GenerateRequest } from '../../../core/ports.ts';
import { backendAnswerEmpty, type EmptyReason, RequestFailure } from '../errors.ts';
import type { Session } from '../send.ts';
import type { Reply } from './read-reply.ts';

/**
 * The answer without the additions of servers and templates.
 * @throws RequestFailure (`BACKEND_ANSWER_EMPTY`) if there is none
 */
export function readAnswer(
  { server, model, warn }: Pick<Session, 'server' | 'model' | 'warn'>,
  request: GenerateRequest,
  reply: Reply,
): Reply {
  const address = server.baseUrl;
  const text = withoutEcho(request, reply.text);
  if (text !== null) warn(`${address} repeats the prompt before its answers; hefix removes the repetition.`);
  const answer = text === null ? reply : { ...reply, text };
  if (answer.toolCalls.length > 0 || request.prefill) return answer;
  if (isThoughtOnly(model, answer)) throw empty(address, warn, 'thoughts');
  if (answer.text.trim() !== '') return answer;
  if (answer.finish === 'filter') throw empty(address, warn, 'filter');
  if (answer.thoughts.trim() === '') throw empty(address, warn, 'nothing');
  warn(
    `${address} reports whole answers as thoughts; hefix reads them there. Start the server without a reasoning parser, or with that of this model.`,
  );
  return { ...answer, text: answer.thoughts.split('</think>').at(-1) ?? '' };
}

function empty(address: string, warn: Session['warn'], why: EmptyReason): RequestFailure {
  const error = backendAnswerEmpty(address, why);
  warn(`${error.message} ${error.hint}`);
  // Some servers, such as Gemini's, now and then answer with nothing at all.
  return new RequestFailure(error, why === 'nothing' ? { do: 'retry', waitMs: null } : { do: 'give-up' });
}

/**
 * Whether the limit ended the answer before its thoughts were over. Some templates open the thought themselves, so that
 * the text contains only the closing marker: an answer that is cut off before it consists of thought only.
 */
function isThoughtOnly(model: string, { text, thoughts, finish }: Reply): boolean {
  if (finish !== 'length') return false;
  if (/^\s*<think(ing)?>(?![\s\S]*<\/think(ing)?>)/.test(text) || text.trim() === '') return true;
  return thoughts === '' && !/<\/?think>/.test(text) && ALWAYS_THINKS.test(model);
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
    finish: finish === 'length' ? 'length' : 'stop',
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
  return { ...reply, text: redact(reply.text), thoughts: redact(reply.thoughts), toolCalls };
}

/**
 * Removes the prompt that some servers repeat before the answer (those with a plain-text chat template); null
 * if the answer does not start with the prompt. Only earlier messages and short role markers may precede the
 * last message, so that an answer that quotes its prompt further on is left unchanged.
 */
export function withoutEcho({ messages }: GenerateRequest, text: string): string | null {
  const last = messages.at(-1)?.content.trim() ?? '';
  if (last.length < SHORTEST) return null;
  const position = text.indexOf(last);
  if (position === -1) return null;
  const before = messages
    .slice(0, -1)
    .reduce((rest, { content }) => rest.replace(content.trim(), ''), text.slice(0, position));
  if (before.length > messages.length * LONGEST_MARK) return null;
  return text.slice(position + last.length).replace(ANSWER_MARK, '');
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
      const range = lengths.get(tokens) ?? { shortest: length, longest: length };
      const { shortest, longest } = {
        shortest: Math.min(range.shortest, length),
        longest: Math.max(range.longest, length),
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
