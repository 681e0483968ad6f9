import type { PreTokenizer } from './pre-tokenizers.ts';
import type { TokenizerModel, Vocabulary } from './tokenizer-model.ts';

/** Merges of bytes, which characters stand for. */
export function byteLevelModel(
  vocabulary: Vocabulary,
  merges: readonly string[],
  { normalizer, steps, ignoresMerges }: PreTokenizer,
): TokenizerModel {
  return {
    normalizer,
    pre_tokenizer: { type: 'Sequence', pretokenizers: steps },
    decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: true },
    model: {
      type: 'BPE',
      unk_token: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: ignoresMerges,
      vocab: vocabulary,
      merges,
    },
  };
}
