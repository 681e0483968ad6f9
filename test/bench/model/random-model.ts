import { existsSync } from 'node:fs';
import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '../../../lib/core/random.ts';

/** Qwen2.5-0.5B's dimensions. */
export const shape = {
  hidden: 896,
  intermediate: 4864,
  layers: 24,
  heads: 14,
  keyValueHeads: 2,
  headSize: 64,
  vocabulary: 151_936,
  context: 32_768,
} as const;

/** The tensors in the order of the file. */
export function tensorShapes(): Record<string, readonly number[]> {
  const { hidden, intermediate, layers, keyValueHeads, headSize, vocabulary } = shape;
  const keys = keyValueHeads * headSize;
  const perLayer = Array.from({ length: layers }, (_, layer) => {
    const prefix = `model.layers.${layer}.`;
    return {
      [`${prefix}input_layernorm.weight`]: [hidden],
      [`${prefix}post_attention_layernorm.weight`]: [hidden],
      [`${prefix}self_attn.q_proj.weight`]: [hidden, hidden],
      [`${prefix}self_attn.q_proj.bias`]: [hidden],
      [`${prefix}self_attn.k_proj.weight`]: [keys, hidden],
      [`${prefix}self_attn.k_proj.bias`]: [keys],
      [`${prefix}self_attn.v_proj.weight`]: [keys, hidden],
      [`${prefix}self_attn.v_proj.bias`]: [keys],
      [`${prefix}self_attn.o_proj.weight`]: [hidden, hidden],
      [`${prefix}mlp.gate_proj.weight`]: [intermediate, hidden],
      [`${prefix}mlp.up_proj.weight`]: [intermediate, hidden],
      [`${prefix}mlp.down_proj.weight`]: [hidden, intermediate],
    };
  });
  return Object.assign(
    { 'model.embed_tokens.weight': [vocabulary, hidden], 'model.norm.weight': [hidden] },
    ...perLayer,
  );
}

/**
 * A folder with config.json and model.safetensors in bfloat16: norms are one, everything else is uniform with
 * a standard deviation of 0.02. Written once.
 */
export async function makeRandomModel(folder: string): Promise<void> {
  const path = join(folder, 'model.safetensors');
  if (existsSync(path)) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'config.json'), JSON.stringify(config, null, 2));
  const shapes = Object.entries(tensorShapes());
  let end = 0;
  const header = Object.fromEntries(
    shapes.map(([name, dims]) => {
      const start = end;
      end += 2 * dims.reduce((product, dim) => product * dim, 1);
      return [name, { dtype: 'BF16', shape: dims, data_offsets: [start, end] }];
    }),
  );
  const json = Buffer.from(JSON.stringify({ __metadata__: { format: 'pt' }, ...header }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  const file = await open(`${path}.partial`, 'w');
  await file.writeFile(Buffer.concat([length, json]));
  const noise = noisePiece();
  let start = 0;
  for (const [name, dims] of shapes) {
    const count = dims.reduce((product, dim) => product * dim, 1);
    if (name.includes('norm')) {
      await file.writeFile(new Uint8Array(new Uint16Array(count).fill(0x3f80).buffer));
      continue;
    }
    for (const piece of pieces(noise, start, count)) await file.writeFile(piece);
    start = (start + count) % noise.length;
  }
  await file.close();
  await rename(`${path}.partial`, path);
}

const config = {
  architectures: ['Qwen2ForCausalLM'],
  model_type: 'qwen2',
  hidden_act: 'silu',
  hidden_size: shape.hidden,
  intermediate_size: shape.intermediate,
  num_hidden_layers: shape.layers,
  num_attention_heads: shape.heads,
  num_key_value_heads: shape.keyValueHeads,
  vocab_size: shape.vocabulary,
  max_position_embeddings: shape.context,
  rms_norm_eps: 1e-6,
  rope_theta: 1e6,
  tie_word_embeddings: true,
  use_sliding_window: false,
  bos_token_id: 151_643,
  eos_token_id: 151_645,
};

/**
 * A prime number of weights, so that no two rows of a matrix start at the same position of it. Matrices follow each
 * other in it: onnxruntime stores equal ones once, and a model of 24 equal layers would fit into a processor's cache.
 */
const NOISE_WEIGHTS = 4_194_301;

/** bfloat16 */
function noisePiece(): Uint16Array {
  const random = seededRandom(1);
  const width = 0.02 * Math.sqrt(12);
  const floats = Float32Array.from({ length: NOISE_WEIGHTS }, () => (random() - 0.5) * width);
  return Uint16Array.from(new Uint32Array(floats.buffer), bits => bits >>> 16);
}

function* pieces(noise: Uint16Array, start: number, count: number): Generator<Uint8Array> {
  for (let at = start, left = count; left > 0; at = 0) {
    const { buffer, byteOffset, byteLength, length } = noise.subarray(at, at + left);
    yield new Uint8Array(buffer, byteOffset, byteLength);
    left -= length;
  }
}
