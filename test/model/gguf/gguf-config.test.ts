import { describe, expect, test } from 'vitest';
import { ggufConfig } from '../../../lib/model/gguf/gguf-config.ts';
import type { GgufFile, GgufTensor } from '../../../lib/model/gguf/read-gguf.ts';

const table: GgufTensor = {
  name: 'token_embd.weight',
  shape: [128, 64],
  offset: 0,
  bytes: 0,
  reader: { numbers: 1, bytes: 4, read: () => {} },
};

function file(architecture: string, settings: Readonly<Record<string, unknown>>): GgufFile {
  const given = {
    block_count: 8,
    context_length: 512,
    embedding_length: 64,
    feed_forward_length: 96,
    'attention.head_count': 4,
    'attention.layer_norm_rms_epsilon': 1e-6,
    ...settings,
  };
  const prefixed = Object.entries(given).map(([key, value]) => [`${architecture}.${key}`, value]);
  return {
    path: 'model.gguf',
    metadata: { 'general.architecture': architecture, ...Object.fromEntries(prefixed) },
    tensors: new Map([[table.name, table]]),
  };
}

const configOf = (architecture: string, settings: Readonly<Record<string, unknown>> = {}) =>
  ggufConfig(file(architecture, settings)).config;

const full = 'full_attention';
const slides = 'sliding_attention';

describe('what files leave out', () => {
  test('Gemma 3: five of six layers slide, with a rope of their own', () => {
    const sliding = { 'attention.sliding_window': 16, 'rope.freq_base': 1e6 };
    expect(configOf('gemma3', sliding)).toMatchObject({
      architectures: ['Gemma3ForCausalLM'],
      layer_types: [slides, slides, slides, slides, slides, full, slides, slides],
      rope_parameters: { full_attention: { rope_theta: 1e6 }, sliding_attention: { rope_theta: 10_000 } },
      query_pre_attn_scalar: 16,
    });
    expect(configOf('gemma3', { ...sliding, 'rope.freq_base_swa': 5000 })).toMatchObject({
      rope_parameters: { sliding_attention: { rope_theta: 5000 } },
    });
  });

  test('Gemma 3 of 27 billion parameters: the scale of attention scores', () => {
    const sizes = { block_count: 62, embedding_length: 5376, 'attention.head_count': 32 };
    expect(configOf('gemma3', { ...sizes, 'attention.key_length': 128 })).toMatchObject({
      query_pre_attn_scalar: 168,
    });
  });

  test('Gemma 3 and OLMo 2 without a window: no layer slides', () => {
    for (const architecture of ['gemma3', 'olmo2']) {
      expect(configOf(architecture)).toMatchObject({
        layer_types: Array(8).fill(full),
        sliding_window: null,
      });
    }
  });

  test('OLMo 3: three of four layers slide, with the same base', () => {
    expect(configOf('olmo2', { 'attention.sliding_window': 16, 'rope.freq_base': 5e5 })).toMatchObject({
      architectures: ['Olmo3ForCausalLM'],
      layer_types: [slides, slides, slides, full, slides, slides, slides, full],
      rope_parameters: { sliding_attention: { rope_type: 'default', rope_theta: 5e5 } },
    });
  });

  test('Phi-3: a window of 0 stands for none', () => {
    expect(configOf('phi3', { 'attention.sliding_window': 0 })).toMatchObject({ sliding_window: null });
  });
});

describe('refuses by name', () => {
  test.each([
    ['gemma2', {}, 'has the architecture gemma2'],
    ['granitehybrid', {}, 'has the architecture granitehybrid'],
    ['qwen35', {}, 'has the architecture qwen35'],
    ['llama', { 'attention.sliding_window': 16 }, 'the setting llama.attention.sliding_window'],
    ['llama', { 'attention.head_count_kv': [2, 4, 2, 2, 2, 2, 2, 2] }, 'key heads that differ'],
    ['llama', { 'attention.head_count_kv': [2, 0, 2, 2, 2, 2, 2, 2] }, 'key heads that differ'],
    ['lfm2', { 'attention.head_count_kv': [2, 0, 4, 0, 0, 0, 0, 0], 'shortconv.l_cache': 3 }, 'that differ'],
    ['lfm2', { 'attention.head_count_kv': [2, 0], 'shortconv.l_cache': 3 }, 'key heads that differ'],
    ['gemma3', { final_logit_softcapping: 30 }, 'the setting gemma3.final_logit_softcapping'],
    ['gemma3', { 'rope.dimension_count': 8 }, 'partial rotary embeddings'],
    ['gemma3', { 'attention.value_length': 8 }, 'values wider than keys'],
    ['granite', { 'rope.scaling.finetuned': false }, 'attention without positions'],
    ['granite', { expert_count: 8 }, 'several experts'],
    ['phi3', { 'rope.scaling.yarn_beta_fast': 32 }, 'the setting phi3.rope.scaling.yarn_beta_fast'],
  ])('%s with %j', (architecture, settings, sentence) => {
    expect(() => configOf(architecture, settings)).toThrow(sentence);
  });
});
