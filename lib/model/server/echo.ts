import type { GenerateRequest } from '../../core/ports.ts';

/**
 * An answer without the prompt that some servers repeat before it, as those do whose chat template is plain text;
 * null if it does not begin with the prompt. Before the last message only the earlier ones and short marks of
 * roles may stand, so that an answer that quotes its prompt later on is left as it is.
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

/** Characters: a shorter message may be the beginning of an honest answer. */
const SHORTEST = 40;
const LONGEST_MARK = 64;

/** What templates put between the last message and the answer: `<|im_end|>`, `[/INST]`, `### Response:`, `assistant`. */
const ANSWER_MARK =
  /^(?:\s*(?:<[|｜][^\n>]{1,40}>|<\/s>|<(?:start|end)_of_turn>|\[\/INST\]|#{2,} ?(?:response|answer|assistant):?|<?\|?(?:assistant|model)\b\|?>?:?(?=\s)))+[ \t]*\n?/i;
