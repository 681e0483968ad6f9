import { existsSync } from 'node:fs';
import { type Checkpoint, openCheckpoint } from '../../../lib/model/build/checkpoint/checkpoint.ts';
import { float, halfBits, integer, integers, word, words, writeGguf } from '../../support/write-gguf.ts';
import { shape, tensorShapes } from './random-model.ts';

/**
 * Writes the random model for llama.cpp: matrices in Q4_0 (blocks of 32 numbers with a half-precision scale),
 * including the embedding, so that a token reads as many bytes as in the int4 graph; norms and biases in
 * float32. The vocabulary is invented, since input and output are ids. Written once.
 */
export async function makeGguf(folder: string, path: string): Promise<void> {
  if (existsSync(path)) return;
  const tensors = Object.entries(tensorShapes()).map(([name, dims]) => ({
    name,
    dims,
    bytes: byteLength(dims),
  }));
  const checkpoint = await openCheckpoint(folder);
  const written = tensors.map(({ name, dims, bytes }) => ({
    name: ggufName(name),
    shape: dims,
    type: dims.length === 1 ? types.float32 : types.q4_0,
    bytes,
    contents: () => contents(checkpoint, name, dims),
  }));
  await writeGguf(path, metadata, written);
  await checkpoint.close();
}

const BLOCK = 32;
const BLOCK_BYTES = 18;
const types = { float32: 0, q4_0: 2 } as const;

function byteLength(dims: readonly number[]): number {
  const count = dims.reduce((product, dim) => product * dim, 1);
  return dims.length === 1 ? 4 * count : (count / BLOCK) * BLOCK_BYTES;
}

async function* contents(checkpoint: Checkpoint, name: string, dims: readonly number[]) {
  for await (const piece of checkpoint.rows(name)) {
    yield dims.length === 1
      ? new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength)
      : quantized(piece);
  }
}

/** Each block: the scale, then 16 bytes whose lower halves are the first 16 numbers. */
function quantized(numbers: Float32Array): Uint8Array {
  const bytes = Buffer.alloc((numbers.length / BLOCK) * BLOCK_BYTES);
  for (let block = 0; block * BLOCK < numbers.length; block++) {
    const start = block * BLOCK;
    let extreme = 0;
    for (let i = start; i < start + BLOCK; i++) {
      if (Math.abs(numbers[i]!) > Math.abs(extreme)) extreme = numbers[i]!;
    }
    const scale = extreme / -8;
    const inverse = scale === 0 ? 0 : 1 / scale;
    const at = block * BLOCK_BYTES;
    bytes.writeUInt16LE(halfBits(scale), at);
    for (let i = 0; i < BLOCK / 2; i++) {
      const low = code(numbers[start + i]! * inverse);
      const high = code(numbers[start + i + BLOCK / 2]! * inverse);
      bytes[at + 2 + i] = low | (high << 4);
    }
  }
  return bytes;
}

function code(value: number): number {
  return Math.min(15, Math.trunc(value + 8.5));
}

const layerNames: Readonly<Record<string, string>> = {
  input_layernorm: 'attn_norm',
  post_attention_layernorm: 'ffn_norm',
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
};

function ggufName(name: string): string {
  if (name === 'model.embed_tokens.weight') return 'token_embd.weight';
  if (name === 'model.norm.weight') return 'output_norm.weight';
  const [, layer, part, kind] = /^model\.layers\.(\d+)\.(.+)\.(weight|bias)$/.exec(name) ?? [];
  return `blk.${layer}.${layerNames[part ?? '']}.${kind}`;
}

const metadata: Readonly<Record<string, Buffer>> = {
  'general.architecture': word('qwen2'),
  'general.name': word('random'),
  'general.file_type': integer(types.q4_0),
  'qwen2.block_count': integer(shape.layers),
  'qwen2.context_length': integer(shape.context),
  'qwen2.embedding_length': integer(shape.hidden),
  'qwen2.feed_forward_length': integer(shape.intermediate),
  'qwen2.attention.head_count': integer(shape.heads),
  'qwen2.attention.head_count_kv': integer(shape.keyValueHeads),
  'qwen2.attention.layer_norm_rms_epsilon': float(1e-6),
  'qwen2.rope.freq_base': float(1e6),
  'qwen2.vocab_size': integer(shape.vocabulary),
  'tokenizer.ggml.model': word('gpt2'),
  'tokenizer.ggml.pre': word('qwen2'),
  'tokenizer.ggml.tokens': words(Array.from({ length: shape.vocabulary }, (_, id) => tokenText(id))),
  'tokenizer.ggml.token_type': integers(new Array(shape.vocabulary).fill(1)),
  'tokenizer.ggml.merges': words(['a b']),
  'tokenizer.ggml.eos_token_id': integer(151_645),
};

/** Byte letters, because a tokenizer must have some; no text is encoded with them. */
function tokenText(id: number): string {
  return id > 32 && id < 127 ? String.fromCharCode(id) : `<${id}>`;
}
