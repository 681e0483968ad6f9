import { z } from 'zod';
import { modelConfigUnsupported, modelFileInvalid } from '../errors.ts';
import { type PreTokenizer, preTokenizers } from './pre-tokenizers.ts';
import { checkedMetadata, type GgufFile, metadataBelow, word } from './read-gguf.ts';
import { sentencePieceModel, type TokenizerModel, type Vocabulary } from './sentencepiece.ts';

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
export function ggufTexts(file: GgufFile): GgufTexts {
  const { path, metadata } = file;
  const { chat_template, ...tokenizer } = checkedMetadata(
    file,
    PREFIX,
    metadataBelow(file, PREFIX),
    tokenizerSchema,
  );
  if (chat_template === undefined) throw modelFileInvalid(path, 'it has no chat template');
  if (tokenizer['ggml.token_type'].length !== tokenizer['ggml.tokens'].length) {
    throw modelFileInvalid(path, 'its tokens and their types differ in number');
  }
  const isPhi3 = metadata['general.architecture'] === 'phi3' && tokenizer['ggml.model'] === 'llama';
  const tokens = tokensOf(tokenizer['ggml.tokens'], tokenizer['ggml.token_type'], isPhi3);
  const { model, startsText } =
    tokenizer['ggml.model'] === 'llama'
      ? sentencePiece(tokenizer, tokens, path)
      : byteLevel(tokenizer, tokens, path);
  const named = (id: number | undefined): string | null =>
    (id === undefined ? undefined : tokenizer['ggml.tokens'][id]) ?? null;
  const begins = tokenizer['ggml.add_bos_token'] ?? startsText;
  const bos = tokenizer['ggml.bos_token_id'];
  return {
    'tokenizer.json': {
      version: '1.0',
      added_tokens: tokens.added.map(token => ({
        single_word: false,
        lstrip: false,
        normalized: false,
        ...token,
      })),
      ...model,
      post_processor: begins && bos !== undefined ? startsWith(bos, named(bos)) : null,
    },
    'tokenizer_config.json': {
      tokenizer_class: 'PreTrainedTokenizerFast',
      bos_token: named(bos),
      eos_token: named(tokenizer['ggml.eos_token_id']),
      unk_token: named(tokenizer['ggml.unknown_token_id']),
      pad_token: named(tokenizer['ggml.padding_token_id']),
      chat_template,
    },
    'generation_config.json': { eos_token_id: endIds(tokenizer, tokens) },
  };
}

interface GgufTokens {
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
function tokensOf(contents: readonly string[], types: readonly number[], isPhi3: boolean): GgufTokens {
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

interface Splitting {
  readonly model: TokenizerModel;
  /** Whether texts start with a special token unless the file says otherwise. */
  readonly startsText: boolean;
}

function byteLevel(tokenizer: Found, { vocabulary }: GgufTokens, path: string): Splitting {
  if (tokenizer['ggml.model'] !== 'gpt2')
    throw modelConfigUnsupported(path, `the tokenizer ${tokenizer['ggml.model']}`);
  const pre = Object.hasOwn(preTokenizers, tokenizer['ggml.pre'])
    ? preTokenizers[tokenizer['ggml.pre']]
    : undefined;
  if (pre === undefined) throw modelConfigUnsupported(path, `the pre-tokenizer ${tokenizer['ggml.pre']}`);
  return { model: byteLevelModel(vocabulary, tokenizer['ggml.merges'], pre), startsText: pre.startsText };
}

/** llama.cpp uses the scores alone. */
function sentencePiece(tokenizer: Found, { vocabulary, unknown }: GgufTokens, path: string): Splitting {
  const scores = tokenizer['ggml.scores'];
  if (scores.length !== tokenizer['ggml.tokens'].length) {
    throw modelFileInvalid(path, 'its tokens and their scores differ in number');
  }
  if (tokenizer['ggml.remove_extra_whitespaces'])
    throw modelConfigUnsupported(path, 'a tokenizer that removes spaces');
  if (tokenizer['ggml.precompiled_charsmap'] !== undefined) {
    throw modelConfigUnsupported(path, 'a tokenizer that replaces characters');
  }
  // Files without scores have the same number everywhere.
  if (new Set(Object.values(vocabulary).map(id => scores[id])).size < 3) {
    throw modelConfigUnsupported(path, 'tokens without scores');
  }
  if (Object.keys(vocabulary).some(token => token.length > LONGEST_TOKEN)) {
    throw modelConfigUnsupported(path, `tokens of more than ${LONGEST_TOKEN} characters`);
  }
  const prefix = tokenizer['ggml.add_space_prefix'] ?? true;
  return { model: sentencePieceModel(vocabulary, scores, unknown, prefix), startsText: true };
}

/** The ways to split a token grow with its length. */
const LONGEST_TOKEN = 1000;

const PREFIX = 'tokenizer.';

const id = z.number().int().nonnegative().optional();
const tokenizerSchema = z.object({
  chat_template: z.string().min(1).optional(),
  'ggml.model': word,
  'ggml.pre': word.default('default'),
  'ggml.tokens': z.array(z.string()).min(1),
  'ggml.token_type': z.array(z.number()),
  'ggml.merges': z.array(z.string()).default([]),
  'ggml.scores': z.array(z.number()).default([]),
  'ggml.bos_token_id': id,
  'ggml.eos_token_id': id,
  'ggml.eot_token_id': id,
  'ggml.eom_token_id': id,
  'ggml.unknown_token_id': id,
  'ggml.padding_token_id': id,
  'ggml.add_bos_token': z.boolean().optional(),
  'ggml.add_space_prefix': z.boolean().optional(),
  'ggml.remove_extra_whitespaces': z.boolean().optional(),
  'ggml.precompiled_charsmap': z.unknown().optional(),
});
type Found = z.infer<typeof tokenizerSchema>;

function startsWith(id: number, token: string | null): object | null {
  if (token === null) return null;
  const begin = { SpecialToken: { id: token, type_id: 0 } };
  return {
    type: 'TemplateProcessing',
    single: [begin, { Sequence: { id: 'A', type_id: 0 } }],
    pair: [begin, { Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
    special_tokens: { [token]: { id: token, ids: [id], tokens: [token] } },
  };
}

/** The ids that end an answer: those that the file names, and special tokens that always do. */
function endIds(tokenizer: Found, { added }: GgufTokens): number[] {
  const named = [
    tokenizer['ggml.eos_token_id'],
    tokenizer['ggml.eot_token_id'],
    tokenizer['ggml.eom_token_id'],
  ];
  const endTokens = added
    .filter(({ content, special }) => special && END_TOKENS.has(content))
    .map(({ id }) => id);
  return [...new Set([...named.filter(id => id !== undefined), ...endTokens])];
}

const END_TOKENS: ReadonlySet<string> = new Set([
  '<|endoftext|>',
  '<|end_of_text|>',
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|end|>',
  '<end_of_turn>',
]);

/** Merges of bytes, which characters stand for. */
function byteLevelModel(
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
