import { closestMatch } from 'leven';

/** A model on the hub with a short name in hefix. */
export interface KnownModel {
  readonly alias: string;
  readonly id: string;
  /** Parameters of the network, counting tied weights once. */
  readonly parameters: number;
  /** As stated on its model card. */
  readonly licence: string;
}

/** Small instruction-tuned models with a supported architecture, smallest first within each family. */
export const knownModels: readonly KnownModel[] = [
  {
    alias: 'qwen2.5-0.5b',
    id: 'Qwen/Qwen2.5-0.5B-Instruct',
    parameters: 494_032_768,
    licence: 'apache-2.0',
  },
  {
    alias: 'qwen2.5-coder-0.5b',
    id: 'Qwen/Qwen2.5-Coder-0.5B-Instruct',
    parameters: 494_032_768,
    licence: 'apache-2.0',
  },
  {
    alias: 'qwen2.5-coder-1.5b',
    id: 'Qwen/Qwen2.5-Coder-1.5B-Instruct',
    parameters: 1_543_714_304,
    licence: 'apache-2.0',
  },
  { alias: 'qwen3-0.6b', id: 'Qwen/Qwen3-0.6B', parameters: 596_049_920, licence: 'apache-2.0' },
  {
    alias: 'smollm2-135m',
    id: 'HuggingFaceTB/SmolLM2-135M-Instruct',
    parameters: 134_515_008,
    licence: 'apache-2.0',
  },
  {
    alias: 'smollm2-360m',
    id: 'HuggingFaceTB/SmolLM2-360M-Instruct',
    parameters: 361_821_120,
    licence: 'apache-2.0',
  },
  {
    alias: 'deepseek-coder-1.3b',
    id: 'deepseek-ai/deepseek-coder-1.3b-instruct',
    parameters: 1_346_471_936,
    licence: 'deepseek',
  },
];

/**
 * Resolves a model name: an alias, in any case, to its hub id; the id of a repository with quantised weights
 * that hefix cannot read to the id of the original weights; any other name to itself.
 */
export function unaliased(name: string): string {
  const model = knownModels.find(({ alias }) => alias === name.toLowerCase());
  if (model) return model.id;
  // A path or the id of a fine-tune may end the same way and is left alone: these organisations publish both
  // forms.
  return /^(Qwen|unsloth|deepseek-ai)\//.test(name) ? name.replace(UNREADABLE, '') : name;
}

/** The name or id that was probably meant by one that does not exist; undefined if none is similar. */
export function nearestModel(name: string, others: readonly string[] = []): string | undefined {
  const names = [...others, ...knownModels.flatMap(({ alias, id }) => [alias, id])];
  const maxDistance = Math.max(2, Math.floor(name.length / 4));
  const lower = names.map(candidate => candidate.toLowerCase());
  const nearest = closestMatch(name.toLowerCase(), lower, { maxDistance });
  return nearest === undefined ? undefined : names[lower.indexOf(nearest)];
}

/** Suffixes of repositories with bitsandbytes, GGUF, AWQ, GPTQ and MLX weights. */
const UNREADABLE = /-(?:(?:unsloth-)?bnb-4bit|GGUF|AWQ|GPTQ-Int[48]|GPTQ|MLX-(?:4bit|6bit|8bit|bf16)|MLX)$/i;
