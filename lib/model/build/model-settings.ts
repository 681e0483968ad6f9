import { join } from 'node:path';
import { z } from 'zod';
import { readRegularText } from '../../files/untrusted-file.ts';
import { modelFileInvalid, modelFileMissing } from '../errors.ts';
import { MAX_TEXT_BYTES } from '../model-files.ts';

/** Limits above the largest models, so that a forged file cannot claim all memory. */
const upTo = (limit: number) => z.number().int().positive().max(limit);

/** A value that is safe to print in an error message. */
const word = z.string().regex(/^[\w.-]{1,80}$/);
const object = z.looseObject({}).nullish();
const constant = z.number().positive().max(1e9).nullish();
const flag = z.boolean().nullish();
const count = z.number().nullish();

/** What config.json of any known architecture says about the graph. */
const settingsSchema = z.object({
  architectures: z.array(word).min(1),
  num_hidden_layers: upTo(1024),
  hidden_size: upTo(2 ** 16),
  intermediate_size: upTo(2 ** 18),
  num_attention_heads: upTo(1024),
  num_key_value_heads: upTo(1024).nullish(),
  head_dim: upTo(1024).nullish(),
  vocab_size: upTo(2 ** 22),
  max_position_embeddings: upTo(2 ** 21),
  original_max_position_embeddings: upTo(2 ** 21).nullish(),
  rms_norm_eps: z.number().positive().max(1).nullish(),
  norm_epsilon: z.number().positive().max(1).nullish(),
  norm_eps: z.number().positive().max(1).nullish(),
  hidden_act: word.nullish(),
  hidden_activation: word.nullish(),
  tie_word_embeddings: flag,
  tie_embedding: flag,
  quantization_config: z.looseObject({ quant_method: word.nullish() }).nullish(),
  attention_bias: flag,
  mlp_bias: flag,
  use_bias: flag,

  layer_types: z.array(word).nullish(),
  use_sliding_window: flag,
  sliding_window: upTo(2 ** 30).nullish(),
  max_window_layers: count,
  sliding_window_pattern: upTo(1024).nullish(),
  _sliding_window_pattern: upTo(1024).nullish(),
  use_bidirectional_attention: flag,
  attn_logit_softcapping: count,
  final_logit_softcapping: count,
  query_pre_attn_scalar: constant,
  clip_qkv: count,

  rope_theta: z.unknown().optional(),
  rope_local_base_freq: z.unknown().optional(),
  rope_scaling: object,
  rope_parameters: object,
  partial_rotary_factor: z.number().positive().max(1).nullish(),
  no_rope_layers: z.array(z.number()).nullish(),
  no_rope_layer_interval: upTo(1024).nullish(),
  position_embedding_type: word.nullish(),

  embedding_multiplier: constant,
  residual_multiplier: constant,
  attention_multiplier: constant,
  logits_scaling: constant,
  num_local_experts: count,
  num_experts: count,
  shared_intermediate_size: upTo(2 ** 18).nullish(),

  conv_L_cache: upTo(64).nullish(),
  full_attn_idxs: z.array(z.number()).nullish(),
  block_ff_dim: upTo(2 ** 18).nullish(),
  block_auto_adjust_ff_dim: flag,
  block_ffn_dim_multiplier: constant,
  block_multiple_of: upTo(2 ** 18).nullish(),
});
export type ModelSettings = z.infer<typeof settingsSchema>;

/** config.json as it is. Throws MODEL_FILE_MISSING and MODEL_FILE_INVALID. */
export async function readConfigFile(folder: string): Promise<unknown> {
  const path = join(folder, 'config.json');
  const text = await readRegularText(path, MAX_TEXT_BYTES).catch(() => {
    throw modelFileMissing(folder, 'config.json');
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw modelFileInvalid(path, 'it is not JSON', cause);
  }
}

/** The names of the model's architectures. Throws MODEL_FILE_INVALID. */
export function namedArchitectures(json: unknown, path: string): readonly string[] {
  const named = settingsSchema.pick({ architectures: true }).safeParse(json);
  if (!named.success) throw modelFileInvalid(path, 'it names no architecture');
  return named.data.architectures;
}

/** Throws MODEL_FILE_INVALID. */
export function modelSettings(json: unknown, path: string): ModelSettings {
  const checked = settingsSchema.safeParse(json);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw modelFileInvalid(path, `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'unexpected content'}`);
}
