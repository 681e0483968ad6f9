import { modelArchitectureUnknown, modelConfigUnsupported, modelFileInvalid } from '../errors.ts';
import {
  type GgufArchitecture,
  ggufArchitectures,
  headSizeOf,
  keyValueHeadsOf,
  windowOf,
} from './gguf-architectures.ts';
import { type GgufSettings, readGgufSettings } from './gguf-settings.ts';
import { type GgufFile, word } from './read-gguf.ts';

export interface GgufConfig
  extends Pick<GgufArchitecture, 'tensors' | 'layerTensors' | 'isInterleaved' | 'normShift'> {
  readonly headSize: number;
  /** config.json, as transformers would save it. */
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * The model in a file's metadata. Throws MODEL_ARCHITECTURE_UNKNOWN, MODEL_FILE_INVALID, and
 * MODEL_CONFIG_UNSUPPORTED for any setting of the architecture that hefix does not know: it could change results.
 */
export function ggufConfig(file: GgufFile): GgufConfig {
  const { path, tensors } = file;
  const [model, architecture] = architectureOf(file);
  const settings = readGgufSettings(file, model, architecture.settings);
  const heads = settings['attention.head_count'];
  const headSize = headSizeOf(settings);
  const unsupported = (feature: string): never => {
    throw modelConfigUnsupported(path, feature);
  };
  if ((settings['attention.value_length'] ?? headSize) !== headSize) unsupported('values wider than keys');
  if (!architecture.isPartlyRotated && (settings['rope.dimension_count'] ?? headSize) !== headSize) {
    unsupported('partial rotary embeddings');
  }
  // Other architectures always encode positions.
  if (model === 'granite' && settings['rope.scaling.finetuned'] === false) {
    unsupported('attention without positions');
  }
  if ((settings.expert_count ?? 0) > 0) unsupported('several experts');
  if (!hasSameHeads(settings)) unsupported('numbers of key heads that differ between layers');
  const table = tensors.get('token_embd.weight');
  const vocabulary = table?.shape[0];
  if (vocabulary === undefined) throw modelFileInvalid(path, 'it has no tensor token_embd.weight');
  const config = {
    architectures: [architecture.name(settings)],
    model_type: model,
    hidden_act: 'silu',
    num_hidden_layers: settings.block_count,
    hidden_size: settings.embedding_length,
    intermediate_size: settings.feed_forward_length,
    num_attention_heads: heads,
    num_key_value_heads: keyValueHeadsOf(settings),
    head_dim: headSize,
    vocab_size: vocabulary,
    max_position_embeddings: settings.context_length,
    rms_norm_eps: settings['attention.layer_norm_rms_epsilon'],
    tie_word_embeddings: !tensors.has('output.weight'),
    rope_parameters: ropeOf(file, settings, architecture),
    ...architecture.config(settings),
  };
  return { ...architecture, headSize, config };
}

/** Layers with convolutions have none. */
function hasSameHeads(settings: GgufSettings): boolean {
  const heads = settings['attention.head_count_kv'];
  if (heads === undefined || typeof heads === 'number') return true;
  const mixes = settings['shortconv.l_cache'] !== undefined;
  const counts = new Set(mixes ? heads.filter(count => count > 0) : heads);
  return heads.length === settings.block_count && counts.size === 1 && !counts.has(0);
}

function architectureOf({ path, metadata }: GgufFile): [string, GgufArchitecture] {
  const name = word.safeParse(metadata['general.architecture']);
  if (!name.success) throw modelFileInvalid(path, 'it names no architecture');
  const architecture = Object.hasOwn(ggufArchitectures, name.data) ? ggufArchitectures[name.data] : undefined;
  if (!architecture) throw modelArchitectureUnknown(path, name.data, Object.keys(ggufArchitectures));
  return [name.data, architecture];
}

/** Sliding layers with a rope of their own have no scaling. */
function ropeOf(file: GgufFile, settings: GgufSettings, { slidingBase }: GgufArchitecture): object {
  const full = { rope_theta: settings['rope.freq_base'] ?? 10_000, ...scaling(file, settings) };
  const base = windowOf(settings) === null ? null : slidingBase(settings);
  if (base === null) return full;
  return { full_attention: full, sliding_attention: { rope_type: 'default', rope_theta: base } };
}

/**
 * Rope scaling, in the words of config.json. That of Llama 3 and LongRoPE is stored as tensors of divisors, one for
 * each frequency.
 */
function scaling({ tensors }: GgufFile, settings: GgufSettings): Record<string, unknown> {
  const type = settings['rope.scaling.type'] ?? 'none';
  const factor = settings['rope.scaling.factor'] ?? settings['rope.scale_linear'];
  const original = settings['rope.scaling.original_context_length'];
  const originally = original === undefined ? {} : { original_max_position_embeddings: original };
  if (tensors.has(ROPE_DIVISORS)) return { rope_type: 'divided' };
  if (tensors.has(SHORT_DIVISORS)) {
    const spread = settings['rope.scaling.attn_factor'];
    return { rope_type: 'longrope', ...originally, ...(spread && { attention_factor: spread }) };
  }
  if (type === 'none')
    return factor === undefined || factor === 1 ? {} : { rope_type: 'linear', factor: factor };
  return { rope_type: type, factor: factor, ...originally };
}

export const ROPE_DIVISORS = 'rope_freqs.weight';
/** Of LongRoPE, up to the original context length, and beyond it. */
export const SHORT_DIVISORS = 'rope_factors_short.weight';
export const LONG_DIVISORS = 'rope_factors_long.weight';
