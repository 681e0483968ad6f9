import { z } from 'zod';
import { modelConfigUnsupported } from '../errors.ts';
import { checkedMetadata, type GgufFile, metadataBelow, word } from './read-gguf.ts';

const count = z.number().int().positive();
const factor = z.number().positive();

/** Of all architectures. Ranges are checked again where config.json is read. */
const common = {
  block_count: count,
  context_length: count,
  embedding_length: count,
  feed_forward_length: count,
  vocab_size: count.optional(),
  'attention.head_count': count,
  'attention.head_count_kv': z.union([count, z.array(z.number().int().nonnegative())]).optional(),
  'attention.key_length': count.optional(),
  'attention.value_length': count.optional(),
  'attention.layer_norm_rms_epsilon': factor.optional(),
  expert_count: z.number().optional(),
  expert_used_count: z.number().optional(),
  'rope.dimension_count': count.optional(),
  'rope.freq_base': factor.optional(),
  'rope.scale_linear': factor.optional(),
  'rope.scaling.type': word.optional(),
  'rope.scaling.factor': factor.optional(),
  'rope.scaling.original_context_length': count.optional(),
  /** Says only how the model was trained, unless the architecture is Granite. */
  'rope.scaling.finetuned': z.boolean().optional(),
};

/** Of some. */
const special = {
  'attention.layer_norm_epsilon': factor.optional(),
  'attention.scale': factor.optional(),
  'attention.sliding_window': z.number().int().nonnegative().optional(),
  'attention.sliding_window_pattern': z
    .union([count, z.array(z.union([z.boolean(), z.number()]))])
    .optional(),
  embedding_scale: factor.optional(),
  residual_scale: factor.optional(),
  logit_scale: factor.optional(),
  'rope.freq_base_swa': factor.optional(),
  'rope.scaling.attn_factor': factor.optional(),
  'shortconv.l_cache': count.optional(),
  expert_shared_feed_forward_length: count.optional(),
  'ssm.conv_kernel': count.optional(),
  'ssm.state_size': count.optional(),
  'ssm.group_count': count.optional(),
  'ssm.inner_size': count.optional(),
  'ssm.time_step_rank': count.optional(),
};

const settingsSchema = z.strictObject({ ...common, ...special });
export type GgufSettings = z.infer<typeof settingsSchema>;

/**
 * A file's settings of its architecture, where `also` are those that only some architectures have. Throws
 * MODEL_FILE_INVALID, and MODEL_CONFIG_UNSUPPORTED for any other setting: it could change results.
 */
export function readGgufSettings(
  file: GgufFile,
  architecture: string,
  also: readonly (keyof GgufSettings)[],
): GgufSettings {
  const prefix = `${architecture}.`;
  const metadata = metadataBelow(file, prefix);
  const keys: readonly string[] = [...Object.keys(common), ...also];
  const stranger = Object.keys(metadata).find(key => !keys.includes(key));
  if (stranger !== undefined) {
    throw modelConfigUnsupported(
      file.path,
      `the setting ${word.safeParse(stranger).success ? prefix + stranger : 'of an odd name'}`,
    );
  }
  return checkedMetadata(file, prefix, metadata, settingsSchema);
}
