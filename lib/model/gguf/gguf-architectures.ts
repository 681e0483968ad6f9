import type { GgufSettings } from './gguf-settings.ts';

/** An architecture of llama.cpp: what its files say, in the words of transformers. */
export interface GgufArchitecture {
  /** In config.json. */
  readonly name: (settings: GgufSettings) => string;
  /** Settings that only some architectures may have. */
  readonly settings: readonly (keyof GgufSettings)[];
  /** Names of tensors, without `.weight` and `.bias`. */
  readonly tensors: Readonly<Record<string, string>>;
  /** Likewise, after `blk.N.`. */
  readonly layerTensors: Readonly<Record<string, string>>;
  /** Whether the rows of a head's queries and keys that are rotated together are neighbours. */
  readonly isInterleaved: boolean;
  /** Whether only a part of each head may be rotated. */
  readonly isPartlyRotated: boolean;
  /** What transformers adds to the weights of norms, and the file's weights contain. */
  readonly normShift: number;
  /** The base of rope in sliding layers, where these have a rope of their own. */
  readonly slidingBase: (settings: GgufSettings) => number | null;
  /** Further settings in config.json. */
  readonly config: (settings: GgufSettings) => Readonly<Record<string, unknown>>;
}

const normsBefore = { attn_norm: 'input_layernorm', ffn_norm: 'post_attention_layernorm' };
const normsAfter = {
  post_attention_norm: 'post_attention_layernorm',
  post_ffw_norm: 'post_feedforward_layernorm',
};
const output = { attn_output: 'self_attn.o_proj' };
const attention = {
  ...output,
  attn_q: 'self_attn.q_proj',
  attn_k: 'self_attn.k_proj',
  attn_v: 'self_attn.v_proj',
};
const headNorms = { attn_q_norm: 'self_attn.q_norm', attn_k_norm: 'self_attn.k_norm' };
const gated = { ffn_gate: 'mlp.gate_proj', ffn_up: 'mlp.up_proj', ffn_down: 'mlp.down_proj' };

const ends = { token_embd: 'model.embed_tokens', output_norm: 'model.norm', output: 'lm_head' };
/** What LFM2 calls its last norm. */
const EMBEDDING_NORM = 'model.embedding_norm';

const llama: GgufArchitecture = {
  name: () => 'LlamaForCausalLM',
  settings: [],
  tensors: ends,
  layerTensors: { ...normsBefore, ...attention, ...gated },
  isInterleaved: true,
  isPartlyRotated: false,
  normShift: 0,
  slidingBase: () => null,
  config: () => ({}),
};

/** Rotates rows that are half a head apart, as transformers does. */
const neox: GgufArchitecture = { ...llama, isInterleaved: false };

const windows = [
  'attention.sliding_window',
  'attention.sliding_window_pattern',
  'rope.freq_base_swa',
] as const satisfies readonly (keyof GgufSettings)[];

/** By the names in `general.architecture`. Sources: the converter and the graphs of llama.cpp. */
export const ggufArchitectures: Readonly<Record<string, GgufArchitecture>> = {
  llama,
  qwen2: { ...neox, name: () => 'Qwen2ForCausalLM' },
  qwen3: {
    ...neox,
    name: () => 'Qwen3ForCausalLM',
    layerTensors: { ...llama.layerTensors, ...headNorms },
  },
  gemma3: {
    ...neox,
    name: () => 'Gemma3ForCausalLM',
    settings: windows,
    layerTensors: {
      ...attention,
      ...headNorms,
      ...gated,
      ...normsAfter,
      attn_norm: 'input_layernorm',
      ffn_norm: 'pre_feedforward_layernorm',
    },
    normShift: 1,
    slidingBase: settings => settings['rope.freq_base_swa'] ?? 10_000,
    config: settings => ({
      hidden_activation: 'gelu_pytorch_tanh',
      ...slidingLayers(settings, 6),
      query_pre_attn_scalar:
        settings.block_count === LAYERS_OF_27B
          ? settings.embedding_length / settings['attention.head_count']
          : headSizeOf(settings),
    }),
  },
  smollm3: { ...llama, name: () => 'SmolLM3ForCausalLM' },
  granite: {
    ...llama,
    name: () => 'GraniteForCausalLM',
    settings: [
      'attention.scale',
      'embedding_scale',
      'residual_scale',
      'logit_scale',
      // Granite 4 without experts and Mamba layers has these, unused.
      'expert_shared_feed_forward_length',
      'ssm.conv_kernel',
      'ssm.state_size',
      'ssm.group_count',
      'ssm.inner_size',
      'ssm.time_step_rank',
    ],
    config: settings => ({
      attention_multiplier: settings['attention.scale'],
      embedding_multiplier: settings.embedding_scale,
      residual_multiplier: settings.residual_scale,
      logits_scaling: settings.logit_scale,
    }),
  },
  olmo2: {
    ...neox,
    name: settings => (windowOf(settings) === null ? 'Olmo2ForCausalLM' : 'Olmo3ForCausalLM'),
    settings: windows,
    layerTensors: { ...attention, ...headNorms, ...gated, ...normsAfter },
    slidingBase: settings => settings['rope.freq_base_swa'] ?? settings['rope.freq_base'] ?? 10_000,
    config: settings => slidingLayers(settings, 4),
  },
  phi3: {
    ...neox,
    name: () => 'Phi3ForCausalLM',
    settings: ['attention.sliding_window', 'rope.scaling.attn_factor'],
    layerTensors: {
      ...normsBefore,
      ...output,
      attn_qkv: 'self_attn.qkv_proj',
      ffn_up: 'mlp.gate_up_proj',
      ffn_down: 'mlp.down_proj',
    },
    isPartlyRotated: true,
    config: settings => ({
      sliding_window: windowOf(settings),
      partial_rotary_factor:
        (settings['rope.dimension_count'] ?? headSizeOf(settings)) / headSizeOf(settings),
    }),
  },
  starcoder2: {
    ...neox,
    name: () => 'Starcoder2ForCausalLM',
    settings: ['attention.layer_norm_epsilon'],
    layerTensors: { ...normsBefore, ...attention, ffn_up: 'mlp.c_fc', ffn_down: 'mlp.c_proj' },
    config: settings => ({
      hidden_act: 'gelu_pytorch_tanh',
      norm_epsilon: settings['attention.layer_norm_epsilon'],
    }),
  },
  lfm2: {
    ...neox,
    name: () => 'Lfm2ForCausalLM',
    settings: ['shortconv.l_cache'],
    tensors: { ...ends, output_norm: EMBEDDING_NORM, token_embd_norm: EMBEDDING_NORM },
    layerTensors: {
      ...attention,
      attn_norm: 'operator_norm',
      ffn_norm: 'ffn_norm',
      attn_output: 'self_attn.out_proj',
      attn_q_norm: 'self_attn.q_layernorm',
      attn_k_norm: 'self_attn.k_layernorm',
      'shortconv.conv': 'conv.conv',
      'shortconv.in_proj': 'conv.in_proj',
      'shortconv.out_proj': 'conv.out_proj',
      ffn_gate: 'feed_forward.w1',
      ffn_up: 'feed_forward.w3',
      ffn_down: 'feed_forward.w2',
    },
    config: settings => ({
      norm_eps: settings['attention.layer_norm_rms_epsilon'],
      conv_L_cache: settings['shortconv.l_cache'],
      block_auto_adjust_ff_dim: false,
      layer_types: layersOf(settings).map(layer =>
        keyValueHeadsOf(settings, layer) === 0 ? 'conv' : 'full_attention',
      ),
    }),
  },
};

/** The one size of Gemma 3 with another scale of attention scores, which its files do not say. */
const LAYERS_OF_27B = 62;

export function headSizeOf(settings: GgufSettings): number {
  return settings['attention.key_length'] ?? settings.embedding_length / settings['attention.head_count'];
}

/** Of one layer; without a layer, the largest number of any. */
export function keyValueHeadsOf(settings: GgufSettings, layer?: number): number {
  const heads = settings['attention.head_count_kv'] ?? settings['attention.head_count'];
  if (typeof heads === 'number') return heads;
  return layer === undefined ? Math.max(...heads) : (heads[layer] ?? 0);
}

/** Tokens that a token in a sliding layer sees; files without sliding layers say nothing, or 0. */
export function windowOf(settings: GgufSettings): number | null {
  return settings['attention.sliding_window'] || null;
}

function layersOf({ block_count }: GgufSettings): number[] {
  return Array.from({ length: block_count }, (_, layer) => layer);
}

/** The last of `interval` layers is full, unless the file says which are. */
function slidingLayers(settings: GgufSettings, interval: number): Record<string, unknown> {
  const window = windowOf(settings);
  const pattern = settings['attention.sliding_window_pattern'] ?? interval;
  const slides = (layer: number): boolean =>
    window !== null && (typeof pattern === 'number' ? (layer + 1) % pattern !== 0 : Boolean(pattern[layer]));
  return {
    sliding_window: window,
    layer_types: layersOf(settings).map(layer => (slides(layer) ? 'sliding_attention' : 'full_attention')),
  };
}
