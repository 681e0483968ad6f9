import { Tokenizer as HubTokenizer } from '@huggingface/tokenizers';
import { modelTokenizerInvalid } from '../errors.ts';
import { withExplicitPreTokenizer } from './pre-tokenizer.ts';
import type { TextGuard } from './text-guard.ts';

export interface Tokenizer {
  /** Adds no special tokens; recognises those in the text. */
  encode(text: string): readonly number[];
  /** Adds the special tokens that the model's texts start with. */
  encodeWhole(text: string): readonly number[];
  /** Omits special tokens and keeps spaces unchanged. */
  decode(ids: readonly number[]): string;
  readonly largestId: number;
}

/**
 * tokenizer: the contents of tokenizer.json; config: of tokenizer_config.json; file: for error messages;
 * guard: runs the patterns. Throws MODEL_TOKENIZER_INVALID if it is not a tokenizer.
 */
export function createTokenizer(
  tokenizer: object,
  config: object,
  file: string,
  guard: TextGuard = work => work(),
): Tokenizer {
  const inner = explained(file, () =>
    guard(() => new HubTokenizer(withExplicitPreTokenizer(tokenizer), config)),
  );
  return {
    encode: text => guard(() => inner.encode(text, { add_special_tokens: false }).ids),
    encodeWhole: text => guard(() => inner.encode(text, { add_special_tokens: true }).ids),
    // The library rejects an empty list.
    decode: ids =>
      ids.length === 0
        ? ''
        : guard(() =>
            inner.decode([...ids], { skip_special_tokens: true, clean_up_tokenization_spaces: false }),
          ),
    largestId: largest(inner.get_vocab(true).values()),
  };
}

function largest(ids: Iterable<number>): number {
  let highest = -1;
  for (const id of ids) highest = Math.max(highest, id);
  return highest;
}

function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw modelTokenizerInvalid(file, cause);
  }
}
