import { z } from 'zod';
import { modelConfigUnsupported, modelFileInvalid } from '../../errors.ts';
import type { ModelSettings } from '../model-settings.ts';

/** How rotary position embeddings are scaled beyond the original context length. */
export type RopeParameters =
  | { readonly type: 'default'; readonly theta: number }
  | { readonly type: 'linear'; readonly theta: number; readonly factor: number }
  /** Each frequency has a divisor of its own: [rotated numbers / 2] */
  | {
      readonly type: 'divided';
      readonly theta: number;
      readonly divisors: readonly number[];
      /** Multiplies cos and sin. */
      readonly attentionFactor: number;
      /** For LongRoPE, the positions up to which its short factors apply. */
      readonly contextLength?: number;
    }
  | {
      readonly type: 'llama3';
      readonly theta: number;
      readonly factor: number;
      readonly lowFrequencyFactor: number;
      readonly highFrequencyFactor: number;
      /** Original context length, in positions. */
      readonly originalContext: number;
    }
  | {
      readonly type: 'yarn';
      readonly theta: number;
      readonly factor: number;
      readonly originalContext: number;
      readonly betaFast: number;
      readonly betaSlow: number;
      /** Multiplies cos and sin. */
      readonly attentionFactor: number;
      /** Whether the blended frequency range starts and ends at whole dimensions. */
      readonly truncates: boolean;
    };

/**
 * Reads rope_theta and rope_scaling, or rope_parameters, which replaces them in newer files. `ropeTypes`: the types that
 * the architecture may have. Throws MODEL_FILE_INVALID, and MODEL_CONFIG_UNSUPPORTED for another type or setting.
 */
export function readRope(
  config: {
    readonly rope_theta?: unknown;
    readonly rope_scaling?: unknown;
    readonly rope_parameters?: unknown;
    readonly defaultTheta: number;
  },
  limits: Pick<ModelSettings, 'max_position_embeddings' | 'original_max_position_embeddings'>,
  ropeTypes: readonly string[],
  path: string,
): RopeParameters {
  const contextLength = limits.max_position_embeddings;
  const ropeSettings = config.rope_parameters ?? config.rope_scaling ?? {};
  const named = word.safeParse(Object(ropeSettings).rope_type ?? Object(ropeSettings).type ?? 'default').data;
  if (named !== undefined && !ropeTypes.includes(named)) {
    throw modelConfigUnsupported(path, `rope scaling of the type ${named}`);
  }
  const checked = ropeSchema.safeParse({
    rope_theta: config.rope_theta ?? config.defaultTheta,
    ...Object(ropeSettings),
  });
  if (!checked.success) {
    const [issue] = checked.error.issues;
    if (issue?.code === 'unrecognized_keys') {
      const [key = ''] = issue.keys;
      throw modelConfigUnsupported(path, `rope scaling with ${word.safeParse(key).data ?? 'an odd name'}`);
    }
    throw modelFileInvalid(path, `rope scaling, ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const rope = checked.data;
  const need = (value: number | null | undefined, name: string): number => {
    if (value == null) throw modelFileInvalid(path, `rope scaling has no ${name}`);
    return value;
  };
  const theta = rope.rope_theta;
  const type = rope.rope_type ?? rope.type ?? 'default';
  if (type === 'default') return { type, theta };
  if (type === 'linear') return { type, theta, factor: need(rope.factor, 'factor') };
  if (type === 'divided') return { type, theta, divisors: rope.divisors ?? [], attentionFactor: 1 };
  if (type === 'longrope' || type === 'su') {
    const original = need(
      rope.original_max_position_embeddings ?? limits.original_max_position_embeddings,
      'original_max_position_embeddings',
    );
    const factor = rope.factor ?? contextLength / original;
    const spread = factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(original));
    return {
      type: 'divided',
      theta,
      divisors: rope.short_factor ?? [],
      attentionFactor: rope.attention_factor ?? spread,
      contextLength: Math.min(original, contextLength),
    };
  }
  if (type === 'llama3') {
    if (!(Number(rope.high_freq_factor) > Number(rope.low_freq_factor))) {
      throw modelFileInvalid(path, 'rope scaling has no high_freq_factor above its low_freq_factor');
    }
    return {
      type,
      theta,
      factor: need(rope.factor, 'factor'),
      lowFrequencyFactor: need(rope.low_freq_factor, 'low_freq_factor'),
      highFrequencyFactor: need(rope.high_freq_factor, 'high_freq_factor'),
      originalContext: need(rope.original_max_position_embeddings, 'original_max_position_embeddings'),
    };
  }
  const originalContext = rope.original_max_position_embeddings ?? contextLength;
  const factor = rope.factor ?? contextLength / originalContext;
  return {
    type,
    theta,
    factor,
    originalContext,
    betaFast: rope.beta_fast ?? 32,
    betaSlow: rope.beta_slow ?? 1,
    attentionFactor: rope.attention_factor ?? yarnAttentionFactor(factor, rope.mscale, rope.mscale_all_dim),
    truncates: rope.truncate ?? true,
  };
}

const types = ['default', 'linear', 'divided', 'llama3', 'yarn', 'longrope', 'su'] as const;

const positive = z.number().positive().max(1e12);
/** A value that is safe to print in an error message. */
const word = z.string().regex(/^[\w.-]{1,80}$/);
/** Any other setting could change results. */
const ropeSchema = z.strictObject({
  rope_theta: positive.min(1.001),
  rope_type: z.enum(types).nullish(),
  /** The older name of rope_type. */
  type: z.enum(types).nullish(),
  factor: positive.nullish(),
  divisors: z.array(positive).max(512).nullish(),
  original_max_position_embeddings: positive.nullish(),
  low_freq_factor: positive.nullish(),
  high_freq_factor: positive.nullish(),
  beta_fast: positive.nullish(),
  beta_slow: positive.nullish(),
  attention_factor: positive.nullish(),
  mscale: positive.nullish(),
  mscale_all_dim: positive.nullish(),
  truncate: z.boolean().nullish(),
  short_factor: z.array(positive).max(512).nullish(),
  long_factor: z.array(positive).max(512).nullish(),
  partial_rotary_factor: positive.max(1).nullish(),
});

/** YaRN's attention temperature: https://arxiv.org/abs/2309.00071, section 3.4. */
function yarnAttentionFactor(factor: number, mscale?: number | null, mscaleAll?: number | null): number {
  const temperature = (scale: number): number => (factor <= 1 ? 1 : 0.1 * scale * Math.log(factor) + 1);
  return mscale && mscaleAll ? temperature(mscale) / temperature(mscaleAll) : temperature(1);
}
