import type { GenerateRequest } from '../../core/ports.ts';

/**
 * Looks for prompts that a server cuts without saying so. A count of tokens is evidence and no proof (proxies leave
 * cached tokens out, some report a constant), so all that follows from it is a warning.
 */
export interface PromptWatch {
  /**
   * `tokens`: as the server counted the prompt; `context`: how many it can read, as it said, null if unknown.
   * Returns what is suspicious, as the end of a sentence, the first time that something is; else null.
   */
  look(request: GenerateRequest, tokens: number, context: number | null): string | null;
}

export function watchPrompts(): PromptWatch {
  /** The shortest and the longest prompt, in characters, that came to each count. */
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

/** Two prompts with one count of tokens may differ so far in characters: code is denser than prose. */
const SAME = 1.6;
/** Where no prompt came to more tokens, which is where a cut would show. */
const SAME_AT_THE_TOP = 1.2;

/** Of the prompt, in characters. */
export function lengthOf({ messages, prefill = '' }: GenerateRequest): number {
  return messages.reduce((sum, { content }) => sum + content.length, prefill.length);
}
