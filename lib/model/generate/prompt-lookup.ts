/** Drafts tokens that are likely to come next, because they came next before. */
export interface PromptLookup {
  /** At most `most` tokens after `history`, of the prompt and of what was generated since; empty if nothing fits. */
  draft(history: readonly number[], most: number): readonly number[];
  /** How many of the last draft the model would have chosen too. */
  learn(drafted: number, accepted: number): void;
}

/**
 * A repair is mostly a copy of code in the prompt: what followed the last tokens where they stood before, is
 * drafted. The draft's length follows how much of it is taken, as a wrong one costs time and a right one
 * saves passes.
 * Source: «Prompt Lookup Decoding», A. Saxena, 2023, https://github.com/apoorvumang/prompt-lookup-decoding
 */
export function createPromptLookup(): PromptLookup {
  let length = FIRST_LENGTH;
  return {
    draft(history, most) {
      const start = placeAfterMatch(history);
      return start === -1 ? [] : history.slice(start, start + Math.min(length, most));
    },
    learn(drafted, accepted) {
      if (drafted === 0) return;
      if (accepted < drafted) length = Math.max(1, Math.floor((length + accepted) / 2));
      else if (drafted === length) length = Math.min(LONGEST, 2 * length);
    },
  };
}

const FIRST_LENGTH = 8;
/** A pass over more tokens costs more than it saves. */
const LONGEST = 16;

/** Where the longest match of the last tokens ends, the latest of equals; -1 if none is long enough. */
function placeAfterMatch(history: readonly number[]): number {
  const last = history.length - 1;
  let longest = SHORTEST_MATCH - 1;
  let place = -1;
  for (let end = history.lastIndexOf(history[last] ?? -1, last - 1); end > 0; ) {
    let length = 1;
    while (length < LONGEST_MATCH && length <= end && history[end - length] === history[last - length])
      length++;
    if (length > longest) {
      longest = length;
      place = end + 1;
      if (length === LONGEST_MATCH) break;
    }
    end = history.lastIndexOf(history[last] ?? -1, end - 1);
  }
  return place;
}

/** One token alone stands nearly everywhere. */
const SHORTEST_MATCH = 2;
const LONGEST_MATCH = 8;
