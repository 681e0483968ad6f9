/**
 * SentencePiece's BPE, which merges the pair whose union has the highest score, as merges in that order; what is
 * in no token becomes bytes. vocabulary: with the bytes; scores: by id; prefix: whether a text starts with a space.
 * Source: transformers' conversion of Llama's tokenizers.
 */
export function sentencePieceModel(
  vocabulary: Vocabulary,
  scores: readonly number[],
  unknown: string | null,
  prefix: boolean,
): TokenizerModel {
  const replaced = (from: string, to: string) => ({
    type: 'Replace',
    pattern: { String: from },
    content: to,
  });
  return {
    normalizer: {
      type: 'Sequence',
      normalizers: [...(prefix ? [{ type: 'Prepend', prepend: SPACE }] : []), replaced(' ', SPACE)],
    },
    pre_tokenizer: null,
    decoder: {
      type: 'Sequence',
      decoders: [
        replaced(SPACE, ' '),
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        ...(prefix ? [{ type: 'Strip', content: ' ', start: 1, stop: 0 }] : []),
      ],
    },
    model: {
      type: 'BPE',
      unk_token: unknown,
      fuse_unk: true,
      byte_fallback: true,
      ignore_merges: false,
      vocab: vocabulary,
      merges: mergesOf(vocabulary, scores),
    },
  };
}

/** What stands for a space. */
const SPACE = '▁';

/** Every way to split a token into two others; those with the highest scores first. */
function mergesOf(vocabulary: Vocabulary, scores: readonly number[]): [left: string, right: string][] {
  const merges: [left: string, right: string, score: number][] = [];
  for (const [token, id] of Object.entries(vocabulary)) {
    if (BYTE.test(token)) continue;
    for (let index = 1; index < token.length; index++) {
      const [left, right] = [token.slice(0, index), token.slice(index)];
      if (Object.hasOwn(vocabulary, left) && Object.hasOwn(vocabulary, right)) {
        merges.push([left, right, scores[id] ?? 0]);
      }
    }
  }
  return merges.sort((a, b) => b[2] - a[2]).map(([left, right]) => [left, right]);
}

const BYTE = /^<0x[0-9A-F]{2}>$/;

/** Ids by token. */
export type Vocabulary = Readonly<Record<string, number>>;

/** The parts of tokenizer.json that split text into tokens and join them again. */
export interface TokenizerModel {
  readonly normalizer: object | null;
  readonly pre_tokenizer: object | null;
  readonly decoder: object;
  readonly model: object;
}
