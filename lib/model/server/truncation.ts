import { createHash } from 'node:crypto';
import type { GenerateRequest, Message } from '../../core/ports.ts';

/** Finds out from a server's own counts whether it read a part of a prompt alone, as some do without a word. */
export interface PromptWatch {
  /** What the count of a prompt's tokens says about it; to be asked once for each answer. */
  look(request: GenerateRequest, tokens: number): PromptReading;
}

export type PromptReading =
  | { readonly read: 'whole' }
  /** So few that a part is probably missing. */
  | { readonly read: 'in-part-perhaps' }
  /** Fewer than the prompt can have. */
  | { readonly read: 'in-part'; readonly least: number };

/** `countsAlike`: that the server counts the same prompt the same, whenever it is asked. */
export function watchPrompts(countsAlike: boolean): PromptWatch {
  const known = createKnownPrompts(countsAlike);
  const isSparse = watchDensity();
  return {
    look(request, tokens) {
      const least = known.least(request);
      if (tokens < least) return { read: 'in-part', least };
      known.add(request, tokens);
      return { read: isSparse(lengthOf(request), tokens) ? 'in-part-perhaps' : 'whole' };
    },
  };
}

/** Of the prompt, in characters. */
export function lengthOf({ messages, prefill = '' }: GenerateRequest): number {
  return messages.reduce((sum, { content }) => sum + content.length, prefill.length);
}

/**
 * What a prompt has at least: half of its words, and where it goes on from an earlier one, as conversations do,
 * that one's tokens and half of the words that came to it. Tokenizers do not put two words into one token, but
 * for a few, which come to less than two on the average. Of the earlier count a part is left out: a router may send
 * the next request to a company that puts other words around the messages.
 */
function createKnownPrompts(countsAlike: boolean) {
  const sure = (tokens: number) => (countsAlike ? tokens - DATE : tokens * SURE_PART);
  const tokensOf = new Map<string, number>();
  return {
    least(request: GenerateRequest): number {
      const { messages } = request;
      const bounds = beginnings(request).map((key, index) => {
        const before = tokensOf.get(key);
        return before === undefined ? 0 : Math.floor(sure(before) + words(messages.slice(index + 1)) / 2);
      });
      return Math.max(Math.floor(words(messages) / 2), ...bounds);
    },
    add(request: GenerateRequest, tokens: number): void {
      const whole = beginnings(request).at(-1);
      if (whole === undefined) return;
      tokensOf.set(whole, tokens);
      const [oldest] = tokensOf.keys();
      if (tokensOf.size > MOST_KNOWN && oldest !== undefined) tokensOf.delete(oldest);
    },
  };
}

/** Tokens by which today's date, which some templates write down, may differ from yesterday's. */
const DATE = 8;
const SURE_PART = 0.8;

/** Prompts: some hundred bytes each. */
const MOST_KNOWN = 10_000;

/** A name for the first message, for the first two, and so on, with what else a template writes down. */
function beginnings({ messages, tools, prefill, raw, thinking }: GenerateRequest): string[] {
  const hash = createHash('sha256').update(JSON.stringify([tools, prefill, raw, thinking]));
  return messages.map(message => hash.update(JSON.stringify(message)).copy().digest('base64'));
}

function words(messages: readonly Message[]): number {
  return messages.reduce((sum, { content }) => sum + (content.match(WORD)?.length ?? 0), 0);
}

/** In scripts that put spaces between words; letters of others may be many to a token. */
const WORD = /(?<!\p{L})[A-Za-z]+(?!\p{L})/gu;

/**
 * The prompts of a run are alike: one that comes to less than half the tokens of the sparsest before it, for its
 * length, was cut, or is of another kind. Of the first nothing is known but that tokens of code and English have
 * four characters or so.
 */
function watchDensity(): (characters: number, tokens: number) => boolean {
  let sparsest = 1 / MOST_CHARACTERS_PER_TOKEN;
  let isKnown = false;
  return (characters, tokens) => {
    const density = tokens / characters;
    const isFar = density < (isKnown ? sparsest / 2 : sparsest);
    if (!isFar) sparsest = isKnown ? Math.min(sparsest, density) : density;
    isKnown ||= !isFar;
    return isFar;
  };
}

/** Of a text as long as a prompt. */
const MOST_CHARACTERS_PER_TOKEN = 12;
