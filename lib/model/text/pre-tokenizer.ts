/**
 * tokenizer.json with two of its pre-tokenizers written as regular expressions, which @huggingface/tokenizers
 * 0.2.0 handles like the Rust library, unlike the pre-tokenizers themselves: its Digits matches only [0-9]
 * where Rust matches every number (`²`, `Ⅷ`, `९`), and its ByteLevel splits by JavaScript's white space,
 * which includes U+FEFF and lacks U+0085.
 */
export function withExplicitPreTokenizer(tokenizer: object): object {
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
