import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Checkpoint, openCheckpoint } from '../../../lib/model/build/checkpoint.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  float,
  integer,
  integers,
  truth,
  type WrittenTensor,
  word,
  words,
  writeGguf,
} from '../../support/write-gguf.ts';
import { type ggufArchitectures, golden } from '../build/golden.ts';
import { byteCharacters } from '../hub/byte-tokenizer.ts';

export type GoldenName = (typeof ggufArchitectures)[number];
export type Metadata = Record<string, Buffer>;

/**
 * A model of fixtures/architectures as llama.cpp's converter would write it, in float32, with a tokenizer of
 * bytes. The functions change what is written.
 */
export async function goldenGguf(
  name: GoldenName,
  change: {
    readonly metadata?: (metadata: Metadata) => Metadata;
    readonly tensors?: (tensors: readonly WrittenTensor[]) => readonly WrittenTensor[];
  } = {},
): Promise<string> {
  const { folder } = golden(name);
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  const checkpoint = await openCheckpoint(folder);
  const tensors = await Promise.all(
    [...checkpoint.names].map(async one => {
      const values = await allRows(checkpoint, one);
      const shape = checkpoint.shape(one) ?? [];
      const rotated = config.model_type === 'llama' && /[qk]_proj/.test(one);
      const headSize = config.hidden_size / config.num_attention_heads;
      const data = rotated ? neighbours(values, shape[1] ?? 1, headSize) : values;
      return written(ggufName(one), shape, data);
    }),
  );
  await checkpoint.close();
  const rope = { ...config.rope_scaling, ...config.rope_parameters };
  if (rope.rope_type === 'llama3') tensors.push(divisors(config, rope));
  const path = join(await temporaryFolder(), `${name}.gguf`);
  const { metadata = same, tensors: others = same } = change;
  await writeGguf(path, metadata(metadataOf(config, rope)), others(tensors));
  return path;
}

const same = <T>(value: T): T => value;

function written(name: string, shape: readonly number[], data: Float32Array): WrittenTensor {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { name, shape, type: 0, bytes: bytes.length, contents: () => [bytes] };
}

async function allRows(checkpoint: Checkpoint, name: string): Promise<Float32Array> {
  const values: number[] = [];
  for await (const piece of checkpoint.rows(name)) values.push(...piece);
  return Float32Array.from(values);
}

/** llama.cpp keeps the two rows of a head that are rotated together next to each other. */
function neighbours(values: Float32Array, columns: number, headSize: number): Float32Array {
  const half = headSize / 2;
  return values.map((_, index) => {
    const [row, column] = [Math.floor(index / columns), index % columns];
    const inHead = row % headSize;
    const from = row - inHead + (inHead % 2) * half + Math.floor(inHead / 2);
    return values[from * columns + column] ?? 0;
  });
}

/** As llama.cpp's converter computes them from Llama 3's rope scaling. */
function divisors(config: Config, rope: Record<string, number>): WrittenTensor {
  const size = config.hidden_size / config.num_attention_heads;
  const { factor = 1, low_freq_factor: low = 1, high_freq_factor: high = 1 } = rope;
  const { original_max_position_embeddings: context = 1, rope_theta: theta = 1 } = rope;
  const values = Float32Array.from({ length: size / 2 }, (_, i) => {
    const wavelength = 2 * Math.PI * theta ** ((2 * i) / size);
    if (wavelength < context / high) return 1;
    if (wavelength > context / low) return factor;
    const smooth = (context / wavelength - low) / (high - low);
    return 1 / ((1 - smooth) / factor + smooth);
  });
  return written('rope_freqs.weight', [size / 2], values);
}

interface Config {
  readonly hidden_size: number;
  readonly num_attention_heads: number;
}

function metadataOf(config: Record<string, number> & Config, rope: Record<string, unknown>): Metadata {
  const model = String(config.model_type);
  const settings: Metadata = {
    block_count: integer(config.num_hidden_layers ?? 0),
    context_length: integer(config.max_position_embeddings ?? 0),
    embedding_length: integer(config.hidden_size),
    feed_forward_length: integer(config.intermediate_size ?? 0),
    'attention.head_count': integer(config.num_attention_heads),
    'attention.head_count_kv': integer(config.num_key_value_heads ?? 0),
    'attention.layer_norm_rms_epsilon': float(config.rms_norm_eps ?? 0),
    'rope.freq_base': float(Number(config.rope_theta ?? rope.rope_theta)),
    ...(config.head_dim && { 'attention.key_length': integer(config.head_dim) }),
    ...(['linear', 'yarn'].includes(String(rope.type)) && {
      'rope.scaling.type': word(String(rope.type)),
      'rope.scaling.factor': float(Number(rope.factor)),
    }),
    ...(rope.type === 'yarn' && {
      'rope.scaling.original_context_length': integer(Number(rope.original_max_position_embeddings)),
    }),
  };
  return {
    'general.architecture': word(model),
    ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`${model}.${key}`, value])),
    'tokenizer.ggml.model': word('gpt2'),
    'tokenizer.ggml.pre': word('gpt-2'),
    'tokenizer.ggml.tokens': words(byteCharacters()),
    'tokenizer.ggml.token_type': integers(byteCharacters().map((_, id) => (id < 2 ? 3 : 1))),
    'tokenizer.ggml.merges': words([]),
    'tokenizer.ggml.bos_token_id': integer(0),
    'tokenizer.ggml.eos_token_id': integer(1),
    'tokenizer.ggml.add_bos_token': truth(false),
    'tokenizer.chat_template': word('{% for message in messages %}{{ message.content }}{% endfor %}'),
  };
}

function ggufName(name: string): string {
  const whole = wholeNames[name];
  if (whole !== undefined) return whole;
  const [, layer, part = '', kind] = /^model\.layers\.(\d+)\.(.+)\.(weight|bias)$/.exec(name) ?? [];
  return `blk.${layer}.${layerNames[part]}.${kind}`;
}

const wholeNames: Readonly<Record<string, string>> = {
  'model.embed_tokens.weight': 'token_embd.weight',
  'model.norm.weight': 'output_norm.weight',
  'lm_head.weight': 'output.weight',
};

const layerNames: Readonly<Record<string, string>> = {
  input_layernorm: 'attn_norm',
  post_attention_layernorm: 'ffn_norm',
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  'self_attn.q_norm': 'attn_q_norm',
  'self_attn.k_norm': 'attn_k_norm',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
};
