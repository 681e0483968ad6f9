import type { Vocabulary } from './sentencepiece.ts';

export interface GgufTokens {
  /** Of the merges. */
  readonly vocabulary: Vocabulary;
  /** Matched before the text is split. */
  readonly added: readonly AddedToken[];
  readonly unknown: string | null;
}

/** As in tokenizer.json. */
interface AddedToken {
  readonly id: number;
  readonly content: string;
  readonly special: boolean;
  /** Whether white space after it is dropped. */
  readonly rstrip: boolean;
}

/** Numbers of llama.cpp's token types; unused ones only fill the vocabulary. */
const UNKNOWN = 2;
const CONTROL = 3;
const USER_DEFINED = 4;
const UNUSED = 5;

/** contents and types: by id; isPhi3: whether they are those of Phi-3, whose files do not say everything. */
export function tokensOf(contents: readonly string[], types: readonly number[], isPhi3: boolean): GgufTokens {
  // A token may be called `__proto__`.
  const vocabulary: Record<string, number> = Object.create(null);
  const added: AddedToken[] = [];
  let unknown: string | null = null;
  for (const [id, content] of contents.entries()) {
    const type = types[id];
    if (type === UNUSED) continue;
    if (type === UNKNOWN) unknown = content;
    if (type === UNKNOWN || type === CONTROL || type === USER_DEFINED) {
      added.push({
        id,
        content,
        special: type !== USER_DEFINED,
        rstrip: isPhi3 && !KEEPS_SPACE.has(content),
      });
    } else vocabulary[content] = id;
  }
  return { vocabulary, added, unknown };
}

/** The special tokens of Phi-3 after which white space stays, as in llama.cpp. */
const KEEPS_SPACE: ReadonlySet<string> = new Set(['<unk>', '<s>', '<|endoftext|>']);
