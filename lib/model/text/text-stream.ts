/** Converts a stream of ids to text, holding back what a later id may still change. */
export interface TextStream {
  /** The text that this id completes; empty while the last character is incomplete. */
  push(id: number): string;
  /** The text that was held back, with incomplete characters replaced by U+FFFD. */
  end(): string;
}

/**
 * A token may contain part of a character's bytes, and some decoders treat the first token differently. So
 * the ids since the last complete chunk are decoded together with the ids of that chunk, and the difference
 * is new text. Text that ends in U+FFFD is held back, since more bytes may complete it. All chunks together
 * equal `decode` of all ids.
 */
export function createTextStream(decode: (ids: readonly number[]) => string): TextStream {
  let known: readonly number[] = [];
  let pending: number[] = [];

  const settle = (text: string): string => {
    known = pending;
    pending = [];
    return text;
  };
  const newText = (): string => decode([...known, ...pending]).slice(decode(known).length);

  return {
    push(id) {
      pending.push(id);
      const text = newText();
      return text.endsWith('\uFFFD') ? '' : settle(text);
    },
    end: () => settle(pending.length === 0 ? '' : newText()),
  };
}
