import { z } from 'zod';
import { modelArchitectureUnknown, modelConfigUnsupported, modelFileInvalid } from '../errors.ts';
import type { GgufFile } from './read-gguf.ts';

/** The architectures of llama.cpp that hefix builds graphs for, with their names in config.json. */
const architectures = {
  llama: 'LlamaForCausalLM',
  qwen2: 'Qwen2ForCausalLM',
  qwen3: 'Qwen3ForCausalLM',
} as const;
export type GgufArchitecture = keyof typeof architectures;

export interface GgufSettings {
  readonly architecture: GgufArchitecture;
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly headSize: number;
  /** config.json, as transformers would save it. */
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * The settings in a file's metadata. Throws MODEL_ARCHITECTURE_UNKNOWN, MODEL_FILE_INVALID, and
 * MODEL_CONFIG_UNSUPPORTED for any setting of the architecture that hefix does not know: it could change results.
 */
export function ggufSettings(file: GgufFile): GgufSettings {
  const { path, tensors } = file;
  const architecture = architectureOf(file);
  const settings = checkedSettings(file, architecture);
  const heads = settings['attention.head_count'];
  const keyValueHeads = settings['attention.head_count_kv'] ?? heads;
  const headSize = settings['attention.key_length'] ?? settings.embedding_length / heads;
  const unsupported = (what: string): never => {
    throw modelConfigUnsupported(path, what);
  };
  if ((settings['attention.value_length'] ?? headSize) !== headSize) unsupported('values wider than keys');
  if ((settings['rope.dimension_count'] ?? headSize) !== headSize) unsupported('partial rotary embeddings');
  if ((settings.expert_count ?? 0) > 0) unsupported('several experts');
  const table = tensors.get('token_embd.weight');
  const vocabulary = table?.shape[0];
  if (vocabulary === undefined) throw modelFileInvalid(path, 'it has no tensor token_embd.weight');
  const config = {
    architectures: [architectures[architecture]],
    model_type: architecture,
    hidden_act: 'silu',
    num_hidden_layers: settings.block_count,
    hidden_size: settings.embedding_length,
    intermediate_size: settings.feed_forward_length,
    num_attention_heads: heads,
    num_key_value_heads: keyValueHeads,
    head_dim: headSize,
    vocab_size: vocabulary,
    max_position_embeddings: settings.context_length,
    rms_norm_eps: settings['attention.layer_norm_rms_epsilon'],
    tie_word_embeddings: !tensors.has('output.weight'),
    rope_parameters: { rope_theta: settings['rope.freq_base'] ?? 10_000, ...scaling(file, settings) },
  };
  return { architecture, heads, keyValueHeads, headSize, config };
}

function architectureOf({ path, metadata }: GgufFile): GgufArchitecture {
  const name = z
    .string()
    .regex(/^[\w.-]{1,80}$/)
    .safeParse(metadata['general.architecture']);
  if (!name.success) throw modelFileInvalid(path, 'it names no architecture');
  const known = Object.keys(architectures) as GgufArchitecture[];
  const found = known.find(one => one === name.data);
  if (found === undefined) throw modelArchitectureUnknown(path, name.data, known);
  return found;
}

function checkedSettings({ path, metadata }: GgufFile, architecture: GgufArchitecture): Settings {
  const prefix = `${architecture}.`;
  const given = Object.entries(metadata)
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, value]) => [key.slice(prefix.length), value] as const);
  const checked = settingsSchema.safeParse(Object.fromEntries(given));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    throw modelConfigUnsupported(
      path,
      `the setting ${/^[\w.-]{1,80}$/.test(key) ? prefix + key : 'of an odd name'}`,
    );
  }
  throw modelFileInvalid(
    path,
    `${prefix}${issue?.path.join('.')}: ${issue?.message ?? 'unexpected content'}`,
  );
}

const count = z.number().int().positive();
const factor = z.number().positive();

/** Ranges are checked again where config.json is read. */
const settingsSchema = z.strictObject({
  block_count: count,
  context_length: count,
  embedding_length: count,
  feed_forward_length: count,
  vocab_size: count.optional(),
  'attention.head_count': count,
  'attention.head_count_kv': count.optional(),
  'attention.key_length': count.optional(),
  'attention.value_length': count.optional(),
  'attention.layer_norm_rms_epsilon': factor,
  expert_count: z.number().optional(),
  expert_used_count: z.number().optional(),
  'rope.dimension_count': count.optional(),
  'rope.freq_base': factor.optional(),
  'rope.scale_linear': factor.optional(),
  'rope.scaling.type': z
    .string()
    .regex(/^[\w.-]{1,80}$/)
    .optional(),
  'rope.scaling.factor': factor.optional(),
  'rope.scaling.original_context_length': count.optional(),
  /** Says only how the model was trained. */
  'rope.scaling.finetuned': z.boolean().optional(),
});
type Settings = z.infer<typeof settingsSchema>;

/**
 * Rope scaling, in the words of config.json. Llama 3's is stored as a tensor of divisors, one for each frequency.
 */
function scaling({ tensors }: GgufFile, settings: Settings): Record<string, unknown> {
  const type = settings['rope.scaling.type'] ?? 'none';
  const given = settings['rope.scaling.factor'] ?? settings['rope.scale_linear'];
  if (tensors.has(ROPE_DIVISORS)) return { rope_type: 'divided' };
  if (type === 'none')
    return given === undefined || given === 1 ? {} : { rope_type: 'linear', factor: given };
  const original = settings['rope.scaling.original_context_length'];
  return {
    rope_type: type,
    factor: given,
    ...(original !== undefined && { original_max_position_embeddings: original }),
  };
}

export const ROPE_DIVISORS = 'rope_freqs.weight';
