import { Tokenizer as HubTokenizer } from '@huggingface/tokenizers';
import { modelTokenizerInvalid } from '../errors.ts';
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
  const { inner, longest } = explained(file, () => ({
    longest: longestText(tokenizer),
    inner: guard(() => new HubTokenizer(withExplicitPreTokenizer(tokenizer), config)),
  }));
  const encoded = (text: string, add_special_tokens: boolean): readonly number[] => {
    if (text.length > longest)
      throw modelTokenizerInvalid(file, new Error(`it takes texts of at most ${longest} characters`));
    return guard(() => inner.encode(text, { add_special_tokens }).ids);
  };
  return {
    encode: text => encoded(text, false),
    encodeWhole: text => encoded(text, true),
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

/**
 * How many characters a text may have. Steps that make a text longer multiply: forty that write `xx` for `x` would fill
 * any memory, and an array that is too long for V8 ends the process, not only the model's thread.
 */
function longestText(tokenizer: object): number {
  const { normalizer, pre_tokenizer, decoder } = tokenizer as Readonly<Record<string, unknown>>;
  const growth = growthOf(normalizer) * growthOf(pre_tokenizer);
  if (growth > MAX_GROWTH || growthOf(decoder) > MAX_GROWTH)
    throw new Error(`its steps make a text more than ${MAX_GROWTH} times as long`);
  return Math.floor(MAX_LENGTH / growth);
}

/**
 * In characters, of the longest text that its steps can make of the one that is given: more than any model reads, and
 * an array of as many words is no danger.
 */
const MAX_LENGTH = 2 ** 23;

/** Those of models write a word or a byte as up to three characters. */
const MAX_GROWTH = 32;

/** How many times as long a step may make a text. */
function growthOf(step: unknown): number {
  if (!isStep(step)) return 1;
  const { normalizers, pretokenizers, decoders, type, pattern, content, replacement, str_rep } = step;
  const steps = normalizers ?? pretokenizers ?? decoders;
  if (Array.isArray(steps)) return steps.reduce((product, each) => product * growthOf(each), 1);
  if (type === 'ByteLevel') return BYTES_OF_CHARACTER;
  if (type === 'Metaspace') return Math.max(1, String(str_rep ?? replacement ?? '').length);
  if (type !== 'Replace') return 1;
  const [written, replaced] = [String(content ?? '').length, isStep(pattern) ? pattern.String : ''];
  // A regular expression may match between any two characters.
  const isText = typeof replaced === 'string' && replaced !== '';
  return isText ? Math.max(1, written / replaced.length) : 1 + written;
}

const BYTES_OF_CHARACTER = 3;

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

/**
 * tokenizer.json with two of its pre-tokenizers written as regular expressions, which @huggingface/tokenizers
 * 0.2.0 handles like the Rust library, unlike the pre-tokenizers themselves: its Digits matches only [0-9]
 * where Rust matches every number (`²`, `Ⅷ`, `९`), and its ByteLevel splits by JavaScript's white space,
 * which includes U+FEFF and lacks U+0085.
 */
function withExplicitPreTokenizer(tokenizer: object): object {
  const { pre_tokenizer } = tokenizer as { pre_tokenizer?: unknown };
  return isStep(pre_tokenizer) ? { ...tokenizer, pre_tokenizer: explicit(pre_tokenizer) } : tokenizer;
}

type PreTokenizer = Readonly<Record<string, unknown>>;

function isStep(value: unknown): value is PreTokenizer {
  return typeof value === 'object' && value !== null;
}

function explicit(step: PreTokenizer): PreTokenizer {
  if (step.type === 'Sequence' && Array.isArray(step.pretokenizers)) {
    return { ...step, pretokenizers: step.pretokenizers.filter(isStep).map(explicit) };
  }
  if (step.type === 'Digits') return split(step.individual_digits === true ? '\\p{N}' : '\\p{N}+');
  // A prefix space is added before the text is split; two sequential steps cannot express that.
  if (step.type === 'ByteLevel' && step.use_regex !== false && step.add_prefix_space === false) {
    return { type: 'Sequence', pretokenizers: [split(BYTE_LEVEL_WORDS), { ...step, use_regex: false }] };
  }
  return step;
}

function split(pattern: string): PreTokenizer {
  return { type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false };
}

/** GPT-2's word pattern, followed by ByteLevel. */
const BYTE_LEVEL_WORDS = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

/** Converts a stream of ids to text, holding back what a later id may still change. */
interface TextStream {
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
  let decoded: readonly number[] = [];
  let pending: number[] = [];

  const settle = (text: string): string => {
    decoded = pending;
    pending = [];
    return text;
  };
  const newText = (): string => decode([...decoded, ...pending]).slice(decode(decoded).length);

  return {
    push(id) {
      pending.push(id);
      const text = newText();
      return text.endsWith('\uFFFD') ? '' : settle(text);
    },
    end: () => settle(pending.length === 0 ? '' : newText()),
  };
}
