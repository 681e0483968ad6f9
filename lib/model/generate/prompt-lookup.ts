/** Drafts tokens by repeating what followed the same tokens earlier. */
export interface PromptLookup {
  /**
   * Up to `limit` tokens that may follow `history` (the prompt and the tokens generated so far); empty if
   * nothing matches.
   */
  draft(history: readonly number[], limit: number): readonly number[];
  /** Reports how many tokens of the last draft were accepted. */
  learn(drafted: number, accepted: number): void;
}

/**
 * Repairs mostly copy code from the prompt, so the draft is what followed the last few tokens at their
 * previous occurrence. The draft's length adapts to the acceptance rate: rejected drafts cost time, accepted
 * ones save passes.
 * Source: «Prompt Lookup Decoding», A. Saxena, 2023, https://github.com/apoorvumang/prompt-lookup-decoding
 */
export function createPromptLookup(): PromptLookup {
  let length = FIRST_LENGTH;
  return {
    draft(history, limit) {
      const start = startAfterMatch(history);
      return start === -1 ? [] : history.slice(start, start + Math.min(length, limit));
    },
    learn(drafted, accepted) {
      if (drafted === 0) return;
      if (accepted < drafted) length = Math.max(1, Math.floor((length + accepted) / 2));
      else if (drafted === length) length = Math.min(LONGEST, 2 * length);
    },
  };
}

const FIRST_LENGTH = 8;
/** Above this length a pass costs more than it saves. */
const LONGEST = 16;

/**
 * The end of the longest match of the last tokens, the latest among equals; -1 if no match is long enough.
 */
function startAfterMatch(history: readonly number[]): number {
  const last = history.length - 1;
  let longest = SHORTEST_MATCH - 1;
  let start = -1;
  for (let end = history.lastIndexOf(history[last] ?? -1, last - 1); end > 0; ) {
    let length = 1;
    while (length < LONGEST_MATCH && length <= end && history[end - length] === history[last - length])
      length++;
    if (length > longest) {
      longest = length;
      start = end + 1;
      if (length === LONGEST_MATCH) break;
    }
    end = history.lastIndexOf(history[last] ?? -1, end - 1);
  }
  return start;
}

/** A single token occurs almost everywhere. */
const SHORTEST_MATCH = 2;
const LONGEST_MATCH = 8;
