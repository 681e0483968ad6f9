import { modelGraphUnexpected } from '../errors.ts';
import type { ModelConfig } from '../model-files.ts';
import { NEW_ROWS } from './rewrite/rewrite-cache.ts';
import type { InferenceSession, ValueMetadata } from './runtime.ts';

/** One tensor of the KV cache: its input, output and shape. */
export interface CacheSlot {
  /** `past_key_values.0.key`, or `past_rows.0.key` in a rewritten graph. */
  readonly past: string;
  /** `present.0.key`; null if the graph returns only new rows. */
  readonly present: string | null;
  readonly type: 'float32' | 'float16';
  readonly heads: number;
  readonly headSize: number;
}

/** The inputs that the graph needs besides input_ids. */
export interface Graph {
  /** In the order of the graph's inputs. */
  readonly cacheSlots: readonly CacheSlot[];
  /** The output with the new rows of all slots; null if there is one whole cache for each. */
  readonly newRows: typeof NEW_KEY_VALUES | typeof NEW_ROWS | null;
  readonly takes: {
    readonly attentionMask: boolean;
    readonly positionIds: boolean;
    readonly logitsToKeep: boolean;
  };
}

/** Throws MODEL_GRAPH_UNEXPECTED if the graph has other inputs, or no logits or cache outputs. */
export function readGraph(session: InferenceSession, config: ModelConfig, file: string): Graph {
  const { inputNames, outputNames } = session;
  const stranger = inputNames.find(name => !PLAIN_INPUTS.includes(name) && !CACHE_INPUT.test(name));
  if (stranger !== undefined) throw modelGraphUnexpected(file, reasonAgainst(stranger));
  if (!inputNames.includes('input_ids')) throw modelGraphUnexpected(file, 'has no input input_ids');
  if (!outputNames.includes('logits')) throw modelGraphUnexpected(file, 'has no output logits');
  const cached = session.inputMetadata.filter(({ name }) => CACHE_INPUT.test(name));
  if (cached.length === 0) throw modelGraphUnexpected(file, 'has no input past_key_values.0.key');
  for (const input of session.inputMetadata) {
    const fits = !PLAIN_INPUTS.includes(input.name) || (input.isTensor && input.type === 'int64');
    if (!fits) throw modelGraphUnexpected(file, `wants ${input.name} of another type than int64`);
  }
  const newRows = ([NEW_KEY_VALUES, NEW_ROWS] as const).find(name => outputNames.includes(name)) ?? null;
  return {
    cacheSlots: cached.map(input => cacheSlot(input, newRows ? null : outputNames, config, file)),
    newRows,
    takes: {
      attentionMask: inputNames.includes('attention_mask'),
      positionIds: inputNames.includes('position_ids'),
      logitsToKeep: inputNames.includes('num_logits_to_keep'),
    },
  };
}

/** A state that holds the past as a whole, as of convolutions and recurrent layers, cannot be shortened. */
function reasonAgainst(input: string): string {
  return /^(?:past|cache)[\w.]*$/.test(input)
    ? `keeps a state besides keys and values, ${input}, from which tokens cannot be dropped`
    : `asks for the input ${input}`;
}

/** Of a graph that hefix built: [cache tensors, key-value heads, new, head size] */
export const NEW_KEY_VALUES = 'new_key_values';

const PLAIN_INPUTS = ['input_ids', 'attention_mask', 'position_ids', 'num_logits_to_keep'];
const CACHE_INPUT = /^past_(?:key_values|rows)\.\d+\.(?:key|value)$/;

function cacheSlot(
  input: ValueMetadata,
  /** Null if it has no output of its own. */
  outputNames: readonly string[] | null,
  config: ModelConfig,
  file: string,
): CacheSlot {
  const past = input.name;
  const present = outputNames && past.replace('past_key_values', 'present');
  if (present !== null && !outputNames?.includes(present)) {
    throw modelGraphUnexpected(file, `has no output ${present}`);
  }
  if (!input.isTensor || (input.type !== 'float32' && input.type !== 'float16')) {
    throw modelGraphUnexpected(file, `wants ${past} of another type than float32 or float16`);
  }
  const [, , , headSize] = input.shape;
  const heads = input.shape[past.startsWith('past_rows') ? 2 : 1];
  return {
    past,
    present,
    type: input.type,
    heads: fixedSize(heads) ?? config.num_key_value_heads ?? config.num_attention_heads,
    headSize: fixedSize(headSize) ?? config.head_dim ?? config.hidden_size / config.num_attention_heads,
  };
}

/** A dynamic dimension has a name instead of a number; config.json gives its size. */
function fixedSize(dimension: number | string | undefined): number | undefined {
  return typeof dimension === 'number' ? dimension : undefined;
}
