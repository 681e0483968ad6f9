/** How a family of models splits text before the merges. */
export interface PreTokenizer {
  /** As in tokenizer.json. */
  readonly normalizer: object | null;
  /** Likewise, in order. */
  readonly steps: readonly object[];
  /** Whether a word that is a token is taken as it is. */
  readonly ignoresMerges: boolean;
  /** Whether texts start with a special token unless the file says otherwise. */
  readonly startsText: boolean;
}

const byteLevel = (useRegex: boolean) => ({
  type: 'ByteLevel',
  add_prefix_space: false,
  trim_offsets: false,
  use_regex: useRegex,
});

const split = (...patterns: readonly string[]) => ({
  type: 'Split',
  pattern: { Regex: patterns.join('|') },
  behavior: 'Isolated',
  invert: false,
});

const ENDINGS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const SPACES = ['\\s*[\\r\\n]+', '\\s+(?!\\S)', '\\s+'];

/** The words of GPT-4's tokenizer, where `digits` matches a number or a part of it. */
const gpt4Words = (digits: string) =>
  split(ENDINGS, '[^\\r\\n\\p{L}\\p{N}]?\\p{L}+', digits, ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*', ...SPACES);

/** The words of GPT-4o's tokenizer: a new one starts at a capital letter after a small one. */
const casedWords = (endings: string, digits: string) => {
  const [upper, lower] = ['[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]', '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]'];
  const before = '[^\\r\\n\\p{L}\\p{N}]?';
  return split(
    `${before}${upper}*${lower}+${endings}`,
    `${before}${upper}+${lower}*${endings}`,
    digits,
    ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*',
    ...SPACES,
  );
};

const gpt2 = { normalizer: null, steps: [byteLevel(true)], ignoresMerges: false, startsText: false };
const digits = { ...gpt2, steps: [{ type: 'Digits', individual_digits: true }, byteLevel(true)] };
const gpt4 = { ...gpt2, steps: [gpt4Words('\\p{N}{1,3}'), byteLevel(false)] };
const llama3 = { ...gpt4, ignoresMerges: true, startsText: true };
const qwen = { ...gpt2, steps: [gpt4Words('\\p{N}'), byteLevel(false)] };

/** By the names in `tokenizer.ggml.pre`; several names have the same rules. Source: llama.cpp. */
export const preTokenizers: Readonly<Record<string, PreTokenizer>> = {
  'gpt-2': gpt2,
  olmo: gpt2,
  smollm: digits,
  starcoder: digits,
  refact: digits,
  qwen2: { ...qwen, normalizer: { type: 'NFC' } },
  'deepseek-r1-qwen': qwen,
  dbrx: gpt4,
  'smaug-bpe': gpt4,
  'llama-bpe': llama3,
  llama3,
  lfm2: llama3,
  'gpt-4o': { ...gpt2, steps: [casedWords(`${ENDINGS}?`, '\\p{N}{1,3}'), byteLevel(false)] },
  tekken: {
    ...llama3,
    steps: [casedWords('', '\\p{N}'), byteLevel(false)],
  },
};
