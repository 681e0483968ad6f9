import { z } from 'zod';

/** Of a file of a model but its weights: the largest tokenizers have 40 MiB. */
export const MAX_TEXT_BYTES = 2 ** 27;

/** The parts of a model folder's JSON files that hefix reads; other fields are ignored. */

const tokenIds = z.union([z.number().int().nonnegative(), z.array(z.number().int().nonnegative())]);
const size = z.number().int().positive();

export const configSchema = z.object({
  vocab_size: size,
  max_position_embeddings: size,
  hidden_size: size,
  num_attention_heads: size,
  /** Absent if every head has its own. */
  num_key_value_heads: size.optional(),
  /** Absent if it is hidden_size / num_attention_heads. */
  head_dim: size.nullish(),
  eos_token_id: tokenIds.nullish(),
});
export type ModelConfig = z.infer<typeof configSchema>;

export const generationConfigSchema = z.object({ eos_token_id: tokenIds.nullish() });
export type GenerationConfig = z.infer<typeof generationConfigSchema>;

export const HEFIX_CONFIG = 'hefix.json';

/**
 * hefix's own `hefix.json`: the answer form that the model was trained on, its languages (all if omitted), and
 * whether its template omits the system text because it was trained without.
 */
export const hefixConfigSchema = z.strictObject({
  answer: z.enum(['whole', 'edit']).default('whole'),
  languages: z.array(z.string()).optional(),
  omitsSystem: z.boolean().default(false),
});

const specialToken = z.union([z.string(), z.object({ content: z.string() })]).nullish();

/** One template, or several by name. */
const chatTemplate = z.union([z.string(), z.array(z.object({ name: z.string(), template: z.string() }))]);

export const templateFileSchema = z.object({ chat_template: chatTemplate });

export const tokenizerConfigSchema = z.looseObject({
  bos_token: specialToken,
  eos_token: specialToken,
  pad_token: specialToken,
  unk_token: specialToken,
  chat_template: chatTemplate.nullish(),
});
export type TokenizerConfig = z.infer<typeof tokenizerConfigSchema>;

export const tokenizerSchema = z.looseObject({ model: z.looseObject({}) });
