import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Checkpoint, openCheckpoint } from '../../../lib/model/build/checkpoint/checkpoint.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  integer,
  integers,
  truth,
  type WrittenTensor,
  word,
  words,
  writeGguf,
} from '../../support/write-gguf.ts';
import { golden } from '../build/golden.ts';
import { byteCharacters } from '../hub/byte-tokenizer.ts';
import { type Config, headSizeOf, ropeOf, settingsOf } from './golden-settings.ts';
import { architectureName, tensorName } from './llama-cpp-names.ts';

/** The models of fixtures/architectures that a GGUF file describes completely. */
export const wholeGoldens = [
  'llama',
  'llama-3',
  'llama-linear',
  'qwen2',
  'qwen2-yarn',
  'qwen3',
  'granite',
  'granite-4',
  'olmo2',
  'olmo3',
  'phi3',
  'phi3-long',
  'lfm2',
] as const;

/** Others, with what llama.cpp takes for granted instead. */
export const otherGoldens = {
  gemma3: { query_pre_attn_scalar: 32 },
  smollm3: { no_rope_layers: undefined },
  starcoder2: { sliding_window: undefined },
} as const;

export type GoldenName = (typeof wholeGoldens)[number] | keyof typeof otherGoldens;
export type Metadata = Record<string, Buffer>;

/**
 * A model as llama.cpp's converter would write it, in float32, with a tokenizer of bytes. The functions change
 * what is written.
 */
export async function goldenGguf(
  name: GoldenName,
  change: {
    readonly metadata?: (metadata: Metadata) => Metadata;
    readonly tensors?: (tensors: readonly WrittenTensor[]) => readonly WrittenTensor[];
  } = {},
): Promise<string> {
  const { folder } = golden(name);
  const config: Config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  const checkpoint = await openCheckpoint(folder);
  const tensors: WrittenTensor[] = [];
  for (const one of checkpoint.names) {
    tensors.push(...converted(one, checkpoint.shape(one) ?? [], await allRows(checkpoint, one), config));
  }
  await checkpoint.close();
  const path = join(await temporaryFolder(), `${name}.gguf`);
  const { metadata = same, tensors: others = same } = change;
  await writeGguf(path, metadata(metadataOf(config)), others([...tensors, ...divisors(config)]));
  return path;
}

const same = <T>(value: T): T => value;

/** Under llama.cpp's name, in its order and with what it adds. */
function converted(
  name: string,
  shape: readonly number[],
  values: Float32Array,
  config: Config,
): WrittenTensor[] {
  const architecture = architectureName(config);
  if (name.includes('shared_mlp.input_linear')) {
    const [rows = 0, columns = 0] = shape;
    const layer = /\d+/.exec(name)?.[0];
    return ['gate', 'up'].map((part, index) => {
      const half = values.subarray((index * rows * columns) / 2, ((index + 1) * rows * columns) / 2);
      return written(`blk.${layer}.ffn_${part}.weight`, [rows / 2, columns], half);
    });
  }
  const given = tensorName(name, architecture);
  if (['llama', 'smollm3', 'granite'].includes(architecture) && /[qk]_proj/.test(name)) {
    return [written(given, shape, neighbours(values, shape[1] ?? 1, headSizeOf(config)))];
  }
  if (architecture === 'gemma3' && name.endsWith('norm.weight')) {
    return [
      written(
        given,
        shape,
        values.map(value => value + 1),
      ),
    ];
  }
  // A convolution's filters have one channel each.
  return [written(given, shape.length === 3 ? shape.filter((_, axis) => axis !== 1) : shape, values)];
}

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

/** What the frequencies of LongRoPE and of Llama 3 are divided by. */
function divisors(config: Config): WrittenTensor[] {
  const rope = ropeOf(config);
  const { short_factor: short, long_factor: long } = rope as { [name: string]: number[] | undefined };
  if (short && long) {
    return [
      written('rope_factors_long.weight', [long.length], Float32Array.from(long)),
      written('rope_factors_short.weight', [short.length], Float32Array.from(short)),
    ];
  }
  if (rope.type !== 'llama3') return [];
  const size = headSizeOf(config);
  const { factor = 1, low_freq_factor: low = 1, high_freq_factor: high = 1 } = rope as Record<string, number>;
  const { original_max_position_embeddings: context = 1, rope_theta: theta = 1 } = rope as typeof rope &
    Record<string, number>;
  const values = Float32Array.from({ length: size / 2 }, (_, i) => {
    const wavelength = 2 * Math.PI * theta ** ((2 * i) / size);
    if (wavelength < context / high) return 1;
    if (wavelength > context / low) return factor;
    const smooth = (context / wavelength - low) / (high - low);
    return 1 / ((1 - smooth) / factor + smooth);
  });
  return [written('rope_freqs.weight', [size / 2], values)];
}

function metadataOf(config: Config): Metadata {
  return {
    'general.architecture': word(architectureName(config)),
    ...settingsOf(config),
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
