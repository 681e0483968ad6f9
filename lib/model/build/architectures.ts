import type { ModelSettings } from './model-settings.ts';

/** Names of tensors, without `.weight` and `.bias`; those of a layer follow `model.layers.N.`. */
export interface TensorNames {
  readonly finalNorm: string;
  /** Norms of what attention and the feed-forward network read and of what they add; null if there is none. */
  readonly beforeAttention: string | null;
  readonly afterAttention: string | null;
  readonly beforeFeedForward: string | null;
  readonly afterFeedForward: string | null;
  /** Query, key and value, or one tensor with all rows. */
  readonly queryKeyValue: readonly string[];
  readonly headNorms: readonly [query: string, key: string];
  readonly attentionOutput: string;
  /** Of a layer with a short convolution: both gates and the values, the filter, and the output. */
  readonly convolution: readonly [inputs: string, filter: string, output: string];
  /** The rows of gate and up may be one tensor. Without a gate, the activation is applied to `up`. */
  readonly gate: string | null;
  readonly up: string;
  readonly down: string;
}

export type LayerType = 'full_attention' | 'sliding_attention' | 'conv';
export type Activation = 'silu' | 'gelu_pytorch_tanh';

/** Constants that transformers multiplies by, or adds, while it computes. */
export interface Constants {
  readonly embedding: number;
  /** Of what attention and the feed-forward network add. */
  readonly residual: number;
  readonly attentionScores: number;
  readonly logits: number;
  /** Added to the scales of norms. */
  readonly norms: number;
}

/** An architecture; functions read what its config.json says. */
export interface Description {
  readonly tensors: TensorNames;
  readonly norm: 'root mean square' | 'layer';
  readonly normEpsilon: 'rms_norm_eps' | 'norm_epsilon' | 'norm_eps';
  /** Whether queries and keys are normalised head by head, or all heads together. */
  readonly headNorms: 'each' | 'all' | null;
  /** Values of settings that config.json leaves out. */
  readonly defaults: { readonly tied: boolean; readonly theta: number; readonly activation: Activation };
  readonly ropeTypes: readonly string[];
  /** Whether only a part of each head may be rotated. */
  readonly partialRotary: boolean;
  /** The rope settings of sliding layers, where these differ from the others. */
  readonly slidingRope: ((settings: ModelSettings) => object) | null;
  readonly layerTypes: readonly LayerType[];
  /** The type of each layer, if config.json has no `layer_types`. */
  readonly layerType: (settings: ModelSettings, layer: number) => string;
  /** Tokens that a token in a sliding layer sees, with itself. */
  readonly window: (settings: ModelSettings) => number | null;
  readonly isRotated: (settings: ModelSettings, layer: number) => boolean;
  readonly intermediate: (settings: ModelSettings) => number;
  readonly constants: (settings: ModelSettings) => Partial<Constants>;
}

const llama: Description = {
  tensors: {
    finalNorm: 'model.norm',
    beforeAttention: 'input_layernorm',
    afterAttention: null,
    beforeFeedForward: 'post_attention_layernorm',
    afterFeedForward: null,
    queryKeyValue: ['self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj'],
    headNorms: ['self_attn.q_norm', 'self_attn.k_norm'],
    attentionOutput: 'self_attn.o_proj',
    convolution: ['conv.in_proj', 'conv.conv', 'conv.out_proj'],
    gate: 'mlp.gate_proj',
    up: 'mlp.up_proj',
    down: 'mlp.down_proj',
  },
  norm: 'root mean square',
  normEpsilon: 'rms_norm_eps',
  headNorms: null,
  defaults: { tied: false, theta: 10_000, activation: 'silu' },
  ropeTypes: ['default', 'linear', 'divided', 'llama3', 'yarn'],
  partialRotary: false,
  slidingRope: null,
  layerTypes: ['full_attention'],
  layerType: () => 'full_attention',
  window: () => null,
  isRotated: () => true,
  intermediate: ({ intermediate_size }) => intermediate_size,
  constants: () => ({}),
};

/** All layers slide if there is a window. */
const sliding: Pick<Description, 'layerTypes' | 'layerType' | 'window'> = {
  layerTypes: ['full_attention', 'sliding_attention'],
  layerType: ({ sliding_window }) => (sliding_window == null ? 'full_attention' : 'sliding_attention'),
  window: ({ sliding_window }) => sliding_window ?? null,
};

/** The layers from `max_window_layers` on slide if windows are in use. */
const qwen: Description = {
  ...llama,
  layerTypes: sliding.layerTypes,
  layerType: ({ use_sliding_window, max_window_layers }, layer) =>
    use_sliding_window && layer >= (max_window_layers ?? 0) ? 'sliding_attention' : 'full_attention',
  window: ({ use_sliding_window, sliding_window }) => (use_sliding_window && sliding_window) || null,
};

/** The last of `interval` layers is full. */
const fullEvery = (interval: number, layer: number): LayerType =>
  (layer + 1) % interval === 0 ? 'full_attention' : 'sliding_attention';

const granite: Description = {
  ...llama,
  constants: settings => ({
    embedding: settings.embedding_multiplier ?? 1,
    residual: settings.residual_multiplier ?? 1,
    attentionScores: settings.attention_multiplier ?? 1,
    logits: 1 / (settings.logits_scaling ?? 1),
  }),
};

const normsAfter: TensorNames = {
  ...llama.tensors,
  beforeAttention: null,
  afterAttention: 'post_attention_layernorm',
  beforeFeedForward: null,
  afterFeedForward: 'post_feedforward_layernorm',
};

const olmo2: Description = { ...llama, tensors: normsAfter, headNorms: 'all' };

/** The architectures that hefix builds graphs for, by their names in config.json. */
export const descriptions = {
  LlamaForCausalLM: llama,
  Qwen2ForCausalLM: qwen,
  Qwen3ForCausalLM: { ...qwen, headNorms: 'each' },
  Gemma3ForCausalLM: {
    ...llama,
    tensors: {
      ...llama.tensors,
      afterAttention: 'post_attention_layernorm',
      beforeFeedForward: 'pre_feedforward_layernorm',
      afterFeedForward: 'post_feedforward_layernorm',
    },
    headNorms: 'each',
    defaults: { tied: true, theta: 1_000_000, activation: 'gelu_pytorch_tanh' },
    slidingRope: ({ rope_local_base_freq }) => ({ rope_theta: rope_local_base_freq ?? 10_000 }),
    ...sliding,
    layerType: ({ sliding_window_pattern, _sliding_window_pattern }, layer) =>
      fullEvery(sliding_window_pattern ?? _sliding_window_pattern ?? 6, layer),
    constants: ({ hidden_size, query_pre_attn_scalar }) => ({
      embedding: Math.sqrt(hidden_size),
      attentionScores: (query_pre_attn_scalar ?? 256) ** -0.5,
      norms: 1,
    }),
  },
  SmolLM3ForCausalLM: {
    ...llama,
    defaults: { tied: true, theta: 2_000_000, activation: 'silu' },
    isRotated: ({ no_rope_layers, no_rope_layer_interval }, layer) =>
      no_rope_layers == null
        ? (layer + 1) % (no_rope_layer_interval ?? 4) !== 0
        : no_rope_layers[layer] === 1,
  },
  GraniteForCausalLM: granite,
  GraniteMoeHybridForCausalLM: {
    ...granite,
    tensors: {
      ...llama.tensors,
      gate: 'shared_mlp.input_linear',
      up: 'shared_mlp.input_linear',
      down: 'shared_mlp.output_linear',
    },
    layerType: () => 'mamba',
    isRotated: ({ position_embedding_type }) => position_embedding_type === 'rope',
    intermediate: ({ shared_intermediate_size }) => shared_intermediate_size ?? 1024,
  },
  Olmo2ForCausalLM: olmo2,
  Olmo3ForCausalLM: {
    ...olmo2,
    defaults: { ...llama.defaults, theta: 500_000 },
    slidingRope: ({ rope_theta }) => ({ rope_theta: rope_theta ?? 500_000 }),
    ...sliding,
    layerType: (_, layer) => fullEvery(4, layer),
  },
  Phi3ForCausalLM: {
    ...llama,
    tensors: {
      ...llama.tensors,
      queryKeyValue: ['self_attn.qkv_proj'],
      gate: 'mlp.gate_up_proj',
      up: 'mlp.gate_up_proj',
    },
    ropeTypes: ['default', 'longrope', 'su'],
    partialRotary: true,
    ...sliding,
  },
  MistralForCausalLM: { ...llama, ...sliding },
  Starcoder2ForCausalLM: {
    ...llama,
    tensors: { ...llama.tensors, gate: null, up: 'mlp.c_fc', down: 'mlp.c_proj' },
    norm: 'layer',
    normEpsilon: 'norm_epsilon',
    defaults: { tied: true, theta: 10_000, activation: 'gelu_pytorch_tanh' },
    ...sliding,
  },
  Lfm2ForCausalLM: {
    ...llama,
    tensors: {
      ...llama.tensors,
      finalNorm: 'model.embedding_norm',
      beforeAttention: 'operator_norm',
      beforeFeedForward: 'ffn_norm',
      headNorms: ['self_attn.q_layernorm', 'self_attn.k_layernorm'],
      attentionOutput: 'self_attn.out_proj',
      gate: 'feed_forward.w1',
      up: 'feed_forward.w3',
      down: 'feed_forward.w2',
    },
    normEpsilon: 'norm_eps',
    headNorms: 'each',
    defaults: { tied: true, theta: 1_000_000, activation: 'silu' },
    layerTypes: ['full_attention', 'conv'],
    layerType: ({ full_attn_idxs }, layer) =>
      full_attn_idxs == null || full_attn_idxs.includes(layer) ? 'full_attention' : 'conv',
    intermediate: lfm2Intermediate,
  },
} as const satisfies Readonly<Record<string, Description>>;

export type ArchitectureName = keyof typeof descriptions;
export const architectureNames = Object.keys(descriptions) as ArchitectureName[];

/** As transformers rounds it. */
function lfm2Intermediate(settings: ModelSettings): number {
  const width = settings.block_ff_dim ?? settings.intermediate_size;
  if (settings.block_auto_adjust_ff_dim === false) return width;
  const multiplied = Math.floor((settings.block_ffn_dim_multiplier ?? 1) * Math.floor((2 * width) / 3));
  const multiple = settings.block_multiple_of ?? 256;
  return multiple * Math.ceil(multiplied / multiple);
}
