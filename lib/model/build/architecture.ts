import { join } from 'node:path';
import { z } from 'zod';
import { modelArchitectureUnknown, modelConfigUnsupported, modelFileInvalid } from '../errors.ts';
import {
  type Activation,
  type ArchitectureName,
  architectureNames,
  type Constants,
  type Description,
  descriptions,
  type TensorNames,
} from './architectures.ts';
import { type RopeParameters, readRope } from './attention/rope-parameters.ts';
import { type ModelSettings, modelSettings, namedArchitectures, readConfigFile } from './model-settings.ts';

/** The values that determine the graph of a decoder. */
export interface Architecture extends Pick<Description, 'norm' | 'headNorms'> {
  readonly name: ArchitectureName;
  readonly tensors: TensorNames;
  readonly layers: readonly Layer[];
  readonly hidden: number;
  /** Width of the feed-forward network. */
  readonly intermediate: number;
  readonly activation: Activation;
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly headSize: number;
  /** How many numbers of a head, from the first, are rotated. */
  readonly rotarySize: number;
  readonly vocabulary: number;
  readonly normEpsilon: number;
  /** Number of positions in the rotary tables. */
  readonly contextLength: number;
  readonly constants: Constants;
  /** Whether the output layer shares the embedding's weights. */
  readonly tied: boolean;
  /** Whether linear layers of these parts of a layer have biases; null if config.json does not say. */
  readonly biases: { readonly self_attn: boolean | null; readonly mlp: boolean | null };
}

/** How a layer reads earlier positions. */
export type Layer = AttentionLayer | ConvolutionLayer;

export interface AttentionLayer {
  readonly kind: 'attention';
  /** How many tokens a token sees, with itself; null for all. */
  readonly window: number | null;
  /** Null if positions are not encoded. */
  readonly rope: RopeParameters | null;
}

/** Each channel is a sum over the last tokens, between two gates. */
export interface ConvolutionLayer {
  readonly kind: 'convolution';
  /** How many tokens a token reads, with itself. */
  readonly width: number;
}

/**
 * Reads a folder's config.json. Throws MODEL_FILE_MISSING and MODEL_FILE_INVALID, and
 * MODEL_ARCHITECTURE_UNKNOWN or MODEL_CONFIG_UNSUPPORTED for models that hefix would compute incorrectly.
 */
export async function readArchitecture(folder: string): Promise<Architecture> {
  const path = join(folder, 'config.json');
  const json = await readConfigFile(folder);
  const named = namedArchitectures(json, path);
  const name = architectureNames.find(candidate => named.includes(candidate));
  if (name === undefined) throw modelArchitectureUnknown(path, named.join(', '), architectureNames);
  const description: Description = descriptions[name];
  const settings = modelSettings(json, path);
  const obstacle = unsupported(settings, description);
  if (obstacle !== null) throw modelConfigUnsupported(path, obstacle);

  const heads = settings.num_attention_heads;
  const headSize = settings.head_dim ?? settings.hidden_size / heads;
  const keyValueHeads = settings.num_key_value_heads ?? heads;
  if (headSize % 16 !== 0) {
    throw modelConfigUnsupported(path, `heads of ${headSize} numbers, where a multiple of 16 is needed,`);
  }
  if (heads % keyValueHeads !== 0) {
    throw modelFileInvalid(path, 'num_attention_heads is no multiple of num_key_value_heads');
  }
  const normEpsilon = settings[description.normEpsilon];
  if (normEpsilon == null) throw modelFileInvalid(path, `it has no ${description.normEpsilon}`);
  const { layers, contextLength } = readLayers(settings, description, path);
  const rotarySize = headSize * rotaryPart(settings);
  if (rotarySize % 2 !== 0) throw modelConfigUnsupported(path, `heads with ${rotarySize} rotated numbers`);
  for (const layer of layers) {
    const rope = layer.kind === 'attention' ? layer.rope : null;
    if (rope?.type !== 'divided' || rope.divisors.length === rotarySize / 2) continue;
    const problem = `rope scaling has ${rope.divisors.length} divisors for heads of ${rotarySize} numbers`;
    throw modelFileInvalid(path, problem);
  }
  return {
    name,
    tensors: description.tensors,
    norm: description.norm,
    headNorms: description.headNorms,
    layers,
    hidden: settings.hidden_size,
    intermediate: description.intermediate(settings),
    activation: (activationOf(settings) ?? description.defaults.activation) as Activation,
    heads,
    keyValueHeads,
    headSize,
    rotarySize,
    vocabulary: settings.vocab_size,
    normEpsilon,
    contextLength,
    constants: {
      embedding: 1,
      residual: 1,
      attentionScores: headSize ** -0.5,
      logits: 1,
      norms: 0,
      ...description.constants(settings),
    },
    tied: settings.tie_embedding ?? settings.tie_word_embeddings ?? description.defaults.tied,
    biases: {
      self_attn: settings.use_bias ?? settings.attention_bias ?? null,
      mlp: settings.use_bias ?? settings.mlp_bias ?? null,
    },
  };
}

const activations: readonly string[] = ['silu', 'gelu_pytorch_tanh'] satisfies Activation[];

function activationOf({ hidden_activation, hidden_act }: ModelSettings): string | null {
  return hidden_activation ?? hidden_act ?? null;
}

/** The share of each head that is rotated. */
function rotaryPart({ partial_rotary_factor, rope_parameters, rope_scaling }: ModelSettings): number {
  const factor = Object(rope_parameters ?? rope_scaling).partial_rotary_factor ?? partial_rotary_factor;
  return factor == null ? 1 : Number(factor);
}

/** The feature that the model needs and the graph lacks, as the end of a sentence; null if there is none. */
function unsupported(settings: ModelSettings, description: Description): string | null {
  if (settings.quantization_config) {
    return `weights quantised with ${settings.quantization_config.quant_method ?? 'another tool'}`;
  }
  const activation = activationOf(settings);
  if (activation !== null && !activations.includes(activation)) return `the activation ${activation}`;
  if (settings.attn_logit_softcapping != null) return 'attention scores with a soft cap';
  if (settings.final_logit_softcapping != null) return 'logits with a soft cap';
  if (settings.use_bidirectional_attention) return 'attention to later tokens';
  if (settings.clip_qkv != null) return 'clipped queries, keys and values';
  if ((settings.num_local_experts ?? 0) > 0 || (settings.num_experts ?? 0) > 0) return 'several experts';
  if (settings.use_sliding_window && !description.layerTypes.includes('sliding_attention'))
    return 'sliding window attention';
  if (rotaryPart(settings) !== 1 && !description.partialRotary) return 'partial rotary embeddings';
  return null;
}

function readLayers(
  settings: ModelSettings,
  description: Description,
  path: string,
): { readonly layers: readonly Layer[]; readonly contextLength: number } {
  const { num_hidden_layers, layer_types, rope_parameters, max_position_embeddings } = settings;
  if (layer_types != null && layer_types.length !== num_hidden_layers) {
    throw modelFileInvalid(
      path,
      `layer_types has ${layer_types.length} entries for ${num_hidden_layers} layers`,
    );
  }
  const types = Array.from({ length: num_hidden_layers }, (_, layer) => {
    const layerType = layer_types?.[layer] ?? description.layerType(settings, layer);
    const type = layerType === 'attention' ? 'full_attention' : layerType;
    const supported = description.layerTypes.find(one => one === type);
    if (supported === undefined) throw modelConfigUnsupported(path, `layers of the type ${layerType}`);
    return supported;
  });
  const { defaults, ropeTypes, slidingRope } = description;
  const read = (parameters: object): RopeParameters =>
    readRope({ ...parameters, defaultTheta: defaults.theta }, settings, ropeTypes, path);
  const ofTypes = slidingRope === null ? null : ropesOfTypes.safeParse(rope_parameters).data;
  const full = read(ofTypes ? { rope_parameters: ofTypes.full_attention } : settings);
  const ofSliding = ofTypes?.sliding_attention ?? slidingRope?.(settings);
  const slides = ofSliding === undefined ? full : read({ rope_parameters: ofSliding });
  const contextLength = (full.type === 'divided' && full.contextLength) || max_position_embeddings;
  const window = description.window(settings);
  const layers = types.map((type, layer): Layer => {
    if (type === 'conv') return { kind: 'convolution', width: settings.conv_L_cache ?? 3 };
    const slidesOver = type === 'sliding_attention' ? (window ?? noWindow()) : null;
    return {
      kind: 'attention',
      window: slidesOver !== null && slidesOver < contextLength ? slidesOver : null,
      rope: description.isRotated(settings, layer) ? (slidesOver === null ? full : slides) : null,
    };
  });
  return { layers, contextLength };

  function noWindow(): never {
    throw modelFileInvalid(path, 'it has sliding layers and no sliding_window');
  }
}

/** Rope settings of each type of layer, in newer files. */
const ropesOfTypes = z.object({
  full_attention: z.looseObject({}),
  sliding_attention: z.looseObject({}).optional(),
});
