import type { GenerateRequest } from '../../../core/ports.ts';

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
