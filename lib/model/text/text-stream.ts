/** Turns ids into text as they come, holding back what a later id may still change. */
export interface TextStream {
  /** The text that this id completes; empty while the last character is broken. */
  push(id: number): string;
  /** What was held back, broken characters replaced by U+FFFD. */
  end(): string;
}

/**
 * A token may hold a part of a character's bytes, and some decoders treat the first token apart.
 * So the ids since the last whole piece are decoded after that piece's own ids, and what goes beyond
 * that piece is new. It is held back while it ends in U+FFFD, which more bytes may resolve.
 * All pieces together are what `decode` makes of all ids.
 */
export function createTextStream(decode: (ids: readonly number[]) => string): TextStream {
  let known: readonly number[] = [];
  let pending: number[] = [];

  const settle = (text: string): string => {
    known = pending;
    pending = [];
    return text;
  };
  const fresh = (): string => decode([...known, ...pending]).slice(decode(known).length);

  return {
    push(id) {
      pending.push(id);
      const text = fresh();
      return text.endsWith('\uFFFD') ? '' : settle(text);
    },
    end: () => settle(pending.length === 0 ? '' : fresh()),
  };
}
