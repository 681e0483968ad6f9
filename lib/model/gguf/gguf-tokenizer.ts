import { z } from 'zod';
import { modelConfigUnsupported, modelFileInvalid } from '../errors.ts';
import { type PreTokenizer, preTokenizers } from './pre-tokenizers.ts';
import type { GgufFile } from './read-gguf.ts';

/** The contents of a model folder's files about text. */
export interface GgufTexts {
  readonly 'tokenizer.json': object;
  readonly 'tokenizer_config.json': object;
  readonly 'generation_config.json': object;
}

/**
 * The tokenizer and chat template in a file's metadata, as transformers would save them. Throws
 * MODEL_FILE_INVALID, and MODEL_CONFIG_UNSUPPORTED for tokenizers and pre-tokenizers that hefix does not know.
 */
export function ggufTexts({ path, metadata }: GgufFile): GgufTexts {
  const given = Object.entries(metadata)
    .filter(([key]) => key.startsWith(PREFIX))
    .map(([key, value]) => [key.slice(PREFIX.length), value] as const);
  const checked = tokenizerSchema.safeParse(Object.fromEntries(given));
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw modelFileInvalid(
      path,
      `${PREFIX}${issue?.path.join('.')}: ${issue?.message ?? 'unexpected content'}`,
    );
  }
  const { chat_template, ...found } = checked.data;
  if (found['ggml.model'] !== 'gpt2') {
    throw modelConfigUnsupported(path, `the tokenizer ${found['ggml.model']}`);
  }
  const pre = Object.hasOwn(preTokenizers, found['ggml.pre']) ? preTokenizers[found['ggml.pre']] : undefined;
  if (pre === undefined) throw modelConfigUnsupported(path, `the pre-tokenizer ${found['ggml.pre']}`);
  if (chat_template === undefined) throw modelFileInvalid(path, 'it has no chat template');
  if (found['ggml.token_type'].length !== found['ggml.tokens'].length) {
    throw modelFileInvalid(path, 'its tokens and their types differ in number');
  }
  const tokens = tokensOf(found);
  const named = (id: number | undefined): string | null =>
    (id === undefined ? undefined : found['ggml.tokens'][id]) ?? null;
  const begins = found['ggml.add_bos_token'] ?? pre.startsText;
  const bos = found['ggml.bos_token_id'];
  return {
    'tokenizer.json': tokenizerJson(tokens, found['ggml.merges'], pre, begins ? bos : undefined, named(bos)),
    'tokenizer_config.json': {
      tokenizer_class: 'PreTrainedTokenizerFast',
      bos_token: named(bos),
      eos_token: named(found['ggml.eos_token_id']),
      unk_token: named(found['ggml.unknown_token_id']),
      pad_token: named(found['ggml.padding_token_id']),
      chat_template,
    },
    'generation_config.json': { eos_token_id: endIds(found, tokens) },
  };
}

const PREFIX = 'tokenizer.';

const id = z.number().int().nonnegative().optional();
const word = z.string().regex(/^[\w.-]{1,80}$/);
const tokenizerSchema = z.object({
  chat_template: z.string().min(1).optional(),
  'ggml.model': word,
  'ggml.pre': word.default('default'),
  'ggml.tokens': z.array(z.string()).min(1),
  'ggml.token_type': z.array(z.number()),
  'ggml.merges': z.array(z.string()),
  'ggml.bos_token_id': id,
  'ggml.eos_token_id': id,
  'ggml.eot_token_id': id,
  'ggml.eom_token_id': id,
  'ggml.unknown_token_id': id,
  'ggml.padding_token_id': id,
  'ggml.add_bos_token': z.boolean().optional(),
});
type Found = z.infer<typeof tokenizerSchema>;

interface Tokens {
  /** Of the merges. */
  readonly vocabulary: Readonly<Record<string, number>>;
  /** Matched before the text is split. */
  readonly added: readonly { readonly id: number; readonly content: string; readonly special: boolean }[];
}

/** Numbers of llama.cpp's token types; unused ones only fill the vocabulary. */
const UNKNOWN = 2;
const CONTROL = 3;
const USER_DEFINED = 4;
const UNUSED = 5;

function tokensOf(found: Found): Tokens {
  const vocabulary: Record<string, number> = {};
  const added: { id: number; content: string; special: boolean }[] = [];
  for (const [id, content] of found['ggml.tokens'].entries()) {
    const type = found['ggml.token_type'][id];
    if (type === UNUSED) continue;
    if (type === UNKNOWN || type === CONTROL || type === USER_DEFINED) {
      added.push({ id, content, special: type !== USER_DEFINED });
    } else vocabulary[content] = id;
  }
  return { vocabulary, added };
}

function tokenizerJson(
  { vocabulary, added }: Tokens,
  merges: readonly string[],
  { normalizer, steps, ignoresMerges }: PreTokenizer,
  bos: number | undefined,
  bosToken: string | null,
): object {
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false };
  const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  return {
    version: '1.0',
    added_tokens: added.map(token => ({ ...token, ...plain })),
    normalizer,
    pre_tokenizer: { type: 'Sequence', pretokenizers: steps },
    post_processor: bos === undefined || bosToken === null ? null : startsWith(bos, bosToken),
    decoder: { ...byteLevel, use_regex: true },
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

function startsWith(id: number, token: string): object {
  const begin = { SpecialToken: { id: token, type_id: 0 } };
  return {
    type: 'TemplateProcessing',
    single: [begin, { Sequence: { id: 'A', type_id: 0 } }],
    pair: [begin, { Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
    special_tokens: { [token]: { id: token, ids: [id], tokens: [token] } },
  };
}

/** The ids that end an answer: those that the file names, and special tokens that always do. */
function endIds(found: Found, { added }: Tokens): number[] {
  const named = [found['ggml.eos_token_id'], found['ggml.eot_token_id'], found['ggml.eom_token_id']];
  const known = added
    .filter(({ content, special }) => special && END_TOKENS.has(content))
    .map(({ id }) => id);
  return [...new Set([...named.filter(id => id !== undefined), ...known])];
}

const END_TOKENS: ReadonlySet<string> = new Set([
  '<|endoftext|>',
  '<|end_of_text|>',
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
]);
