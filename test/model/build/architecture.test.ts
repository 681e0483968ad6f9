import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readArchitecture } from '../../../lib/model/build/architecture.ts';
import { buildModel } from '../../../lib/model/build/build-model.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type architectures, golden } from './golden.ts';

type Name = (typeof architectures)[number];
type Changes = Readonly<Record<string, unknown>>;

/** Settings that transformers 5 writes together; older files have others in their place. */
const unset = { rope_parameters: undefined, layer_types: undefined };
const { rope_parameters: longRope = {} } = config('phi3-long') as { rope_parameters?: Changes };

describe('config.json of an older version', () => {
  test.each<[Name, Changes]>([
    ['mistral', { ...unset, rope_theta: 10_000 }],
    ['qwen3-window', { ...unset, rope_theta: 10_000 }],
    [
      'gemma3',
      {
        ...unset,
        tie_word_embeddings: undefined,
        sliding_window_pattern: 2,
        rope_theta: 1_000_000,
        rope_local_base_freq: 10_000,
        rope_scaling: { rope_type: 'linear', factor: 8 },
      },
    ],
    ['smollm3', { ...unset, no_rope_layers: undefined, no_rope_layer_interval: 2, rope_theta: 2_000_000 }],
    ['granite-4', { layer_types: ['attention', 'attention'] }],
    [
      'olmo3',
      {
        rope_parameters: undefined,
        rope_theta: 500_000,
        rope_scaling: { type: 'yarn', factor: 4, original_max_position_embeddings: 32 },
      },
    ],
    [
      'phi3-long',
      {
        ...unset,
        rope_theta: 10_000,
        partial_rotary_factor: 0.75,
        rope_scaling: { type: 'su', short_factor: longRope.short_factor, long_factor: longRope.long_factor },
      },
    ],
    [
      'lfm2',
      { ...unset, rope_theta: 1_000_000, full_attn_idxs: [1], block_ff_dim: 48, intermediate_size: 100 },
    ],
  ])('an older config.json of %s means the same', async (name, changes) => {
    expect(await readArchitecture(await changed(name, changes))).toEqual(
      await readArchitecture(golden(name).folder),
    );
  });
});

describe('refuses in one sentence', () => {
  test.each<[Name, string, Changes]>([
    ['llama', 'the architecture Gemma2ForCausalLM', { architectures: ['Gemma2ForCausalLM'] }],
    ['llama', 'the architecture Qwen3_5ForCausalLM', { architectures: ['Qwen3_5ForCausalLM'] }],
    ['gemma3', 'attention scores with a soft cap', { attn_logit_softcapping: 50 }],
    ['gemma3', 'logits with a soft cap', { final_logit_softcapping: 30 }],
    ['gemma3', 'attention to later tokens', { use_bidirectional_attention: true }],
    ['gemma3', 'the activation gelu', { hidden_activation: 'gelu' }],
    ['gemma3', 'sliding layers and no sliding_window', { sliding_window: null }],
    [
      'gemma3',
      'layers of the type chunked_attention',
      { layer_types: ['chunked_attention', 'full_attention', 'full_attention'] },
    ],
    ['gemma3', 'layer_types has 1 entries for 3 layers', { layer_types: ['full_attention'] }],
    ['granite', 'layers of the type sliding_attention', { layer_types: Array(2).fill('sliding_attention') }],
    ['granite-4', 'layers of the type mamba', { layer_types: ['mamba', 'attention'] }],
    ['granite-4', 'layers of the type mamba', { layer_types: undefined }],
    ['granite-4', 'several experts', { num_local_experts: 8 }],
    ['smollm3', 'sliding window attention', { use_sliding_window: true }],
    ['olmo2', 'clipped queries, keys and values', { clip_qkv: 8 }],
    ['olmo2', 'partial rotary embeddings', { partial_rotary_factor: 0.5 }],
    ['phi3', 'rope scaling of the type yarn', { rope_parameters: { rope_type: 'yarn', factor: 2 } }],
    [
      'phi3-long',
      '2 divisors for heads of 12 numbers',
      { rope_parameters: { ...longRope, short_factor: [1, 2] } },
    ],
    ['starcoder2', 'denies biases of self_attn', { use_bias: false }],
    ['mistral', 'asks for biases of mlp', { mlp_bias: true }],
    ['starcoder2', 'has no norm_epsilon', { norm_epsilon: undefined }],
  ])('%s with %s', async (name, sentence, changes) => {
    const build = buildModel({
      source: await changed(name, changes),
      target: await temporaryFolder(),
      weightType: 'fp32',
    });
    await expect(build).rejects.toMatchObject({
      code: expect.stringMatching(/^MODEL_(?:ARCHITECTURE_UNKNOWN|CONFIG_UNSUPPORTED|FILE_INVALID)$/),
      message: expect.stringMatching(new RegExp(`^[^\\n]*${sentence}[^\\n]*\\.$`)),
    });
  });
});

async function changed(name: Name, changes: Changes): Promise<string> {
  const folder = await temporaryFolder();
  cpSync(golden(name).folder, folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...config(name), ...changes }));
  return folder;
}

function config(name: Name): Changes {
  return JSON.parse(readFileSync(join(golden(name).folder, 'config.json'), 'utf8'));
}
