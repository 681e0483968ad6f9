/** Finds out from a server's own counts whether it read a part of a prompt alone, as some do without a word. */
export interface PromptWatch {
  /** Whether so few tokens are too few for a prompt of so many characters. */
  isCut(characters: number, tokens: number): boolean;
}

/**
 * The prompts of a run are alike: one that comes to less than half the tokens of the sparsest before it, for its
 * length, was cut. Of the first nothing is known but that tokens of code and English have four characters or so.
 */
export function watchPrompts(): PromptWatch {
  let sparsest = 1 / MOST_CHARACTERS_PER_TOKEN;
  let isKnown = false;
  return {
    isCut(characters, tokens) {
      const density = tokens / characters;
      const isFar = density < (isKnown ? sparsest / 2 : sparsest);
      if (!isFar) sparsest = isKnown ? Math.min(sparsest, density) : density;
      isKnown ||= !isFar;
      return isFar;
    },
  };
}

/** Of a text as long as a prompt. */
const MOST_CHARACTERS_PER_TOKEN = 12;
