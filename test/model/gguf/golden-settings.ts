import { float, integer, integers, word } from '../../support/write-gguf.ts';
import { architectureName } from './llama-cpp-names.ts';

export interface Config {
  readonly model_type: string;
  readonly hidden_size: number;
  readonly num_attention_heads: number;
  readonly num_key_value_heads: number;
  readonly [setting: string]: unknown;
}

/** Rope of full layers, which older files keep under other names. */
export function ropeOf(config: Config): Readonly<Record<string, unknown>> {
  const given = { ...Object(config.rope_scaling), ...Object(config.rope_parameters) };
  const rope = Object(given.full_attention ?? given);
  return { rope_theta: config.rope_theta, ...rope, type: rope.rope_type ?? rope.type };
}

export function headSizeOf({ head_dim, hidden_size, num_attention_heads }: Config): number {
  return Number(head_dim ?? hidden_size / num_attention_heads);
}

/** A model's settings, as llama.cpp's converter writes them; without those that are undefined. */
export function settingsOf(config: Config): Record<string, Buffer> {
  const rope = ropeOf(config);
  const settings = {
    block_count: whole(config.num_hidden_layers),
    context_length: whole(config.max_position_embeddings),
    embedding_length: whole(config.hidden_size),
    feed_forward_length: whole(config.intermediate_size),
    'attention.head_count': whole(config.num_attention_heads),
    'attention.head_count_kv': keyValueHeads(config),
    'attention.layer_norm_rms_epsilon': real(config.norm_eps ?? config.rms_norm_eps),
    'attention.key_length': whole(config.head_dim),
    'rope.freq_base': real(rope.rope_theta),
    ...(['linear', 'yarn'].includes(String(rope.type)) && {
      'rope.scaling.type': word(String(rope.type)),
      'rope.scaling.factor': real(rope.factor),
      'rope.scaling.original_context_length': whole(rope.original_max_position_embeddings),
    }),
    ...further[config.model_type]?.(config, rope),
  };
  const given = Object.entries(settings).filter((entry): entry is [string, Buffer] => entry[1] !== undefined);
  const prefix = architectureName(config);
  return Object.fromEntries(given.map(([key, value]) => [`${prefix}.${key}`, value]));
}

const whole = (value: unknown): Buffer | undefined => (value == null ? undefined : integer(Number(value)));
const real = (value: unknown): Buffer | undefined => (value == null ? undefined : float(Number(value)));

function keyValueHeads({ model_type, layer_types, num_key_value_heads: heads }: Config): Buffer {
  const types = layer_types as readonly string[];
  if (model_type === 'lfm2') return integers(types.map(type => (type === 'conv' ? 0 : heads)));
  return model_type === 'granitemoehybrid' ? integers(types.map(() => heads)) : integer(heads);
}

type Settings = Readonly<Record<string, Buffer | undefined>>;

const windows = ({ sliding_window, layer_types }: Config): Settings => ({
  'attention.sliding_window': whole(sliding_window),
  'attention.sliding_window_pattern': integers(
    (layer_types as readonly string[]).map(type => (type === 'sliding_attention' ? 1 : 0)),
  ),
});

const multipliers = (config: Config): Settings => ({
  'attention.scale': real(config.attention_multiplier),
  embedding_scale: real(config.embedding_multiplier),
  residual_scale: real(config.residual_multiplier),
  logit_scale: real(config.logits_scaling),
});

/** By `model_type`, what only some architectures have. */
const further: Readonly<
  Record<string, (config: Config, rope: Readonly<Record<string, unknown>>) => Settings>
> = {
  gemma3_text: windows,
  olmo3: windows,
  granite: multipliers,
  granitemoehybrid: config => ({
    ...multipliers(config),
    expert_count: whole(config.num_local_experts),
    expert_shared_feed_forward_length: whole(config.shared_intermediate_size),
    'ssm.conv_kernel': whole(config.mamba_d_conv),
  }),
  phi3: (config, rope) => ({
    'attention.sliding_window': integer(Number(config.sliding_window ?? 0)),
    'rope.dimension_count': whole(headSizeOf(config) * Number(rope.partial_rotary_factor ?? 1)),
    'rope.scaling.original_context_length': whole(rope.original_max_position_embeddings),
    ...(rope.type === 'longrope' && { 'rope.scaling.attn_factor': float(spread(config, rope)) }),
  }),
  starcoder2: config => ({ 'attention.layer_norm_epsilon': real(config.norm_epsilon) }),
  lfm2: config => ({ 'shortconv.l_cache': whole(config.conv_L_cache) }),
};

/** What LongRoPE multiplies cos and sin by. */
function spread(config: Config, rope: Readonly<Record<string, unknown>>): number {
  const original = Number(rope.original_max_position_embeddings);
  return Math.sqrt(1 + Math.log(Number(config.max_position_embeddings) / original) / Math.log(original));
}
