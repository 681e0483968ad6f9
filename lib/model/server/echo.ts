import type { GenerateRequest } from '../../core/ports.ts';

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
