export interface Sampling {
  /** 0 is greedy. */
  readonly temperature: number;
  /** Probability mass kept, in (0, 1]; 1 keeps all. */
  readonly topP: number;
  /** Tokens kept; 0 keeps all. */
  readonly topK: number;
}

/**
 * The next token's id, or -1 if a logit is not a number.
 * Greedy takes the largest logit, the lowest id among equals. Otherwise the order is that of
 * Hugging Face transformers: temperature, then top-k, then top-p over what is left, then one draw.
 * logits: float [vocabulary]; random: uniform in [0, 1).
 */
export function chooseToken(logits: Float32Array, sampling: Sampling, random: () => number): number {
  const best = argMax(logits);
  if (best === -1 || sampling.temperature === 0) return best;
  const kept = candidates(logits, sampling);
  const weights = kept.map(id => Math.exp(((logits[id] ?? 0) - logits[best]!) / sampling.temperature));
  return draw(kept, nucleus(weights, sampling.topP), random);
}

/** -1 if any logit is NaN, or if none is finite from below. */
function argMax(logits: Float32Array): number {
  let best = -1;
  let highest = Number.NEGATIVE_INFINITY;
  for (let id = 0; id < logits.length; id++) {
    const logit = logits[id]!;
    if (logit > highest) {
      highest = logit;
      best = id;
    } else if (Number.isNaN(logit)) return -1;
  }
  return highest === Number.POSITIVE_INFINITY ? -1 : best;
}

/** Ids by falling logit where the order matters, all of them in their own order where not. */
function candidates(logits: Float32Array, { topK, topP }: Sampling): number[] {
  const ids = Array.from(logits.keys());
  if (topK === 0 && topP >= 1) return ids;
  ids.sort((one, other) => logits[other]! - logits[one]! || one - other);
  return topK === 0 ? ids : ids.slice(0, topK);
}

/** The fewest leading weights that hold the share topP of their sum; at least one. */
function nucleus(weights: readonly number[], topP: number): readonly number[] {
  if (topP >= 1) return weights;
  const enough = topP * weights.reduce((sum, weight) => sum + weight, 0);
  let held = 0;
  const last = weights.findIndex(weight => {
    held += weight;
    return held >= enough;
  });
  return last === -1 ? weights : weights.slice(0, last + 1);
}

/** One id with probability proportional to its weight; ids beyond the weights are out. */
function draw(ids: readonly number[], weights: readonly number[], random: () => number): number {
  const target = random() * weights.reduce((sum, weight) => sum + weight, 0);
  let passed = 0;
  const index = weights.findIndex(weight => {
    passed += weight;
    return passed > target;
  });
  return ids[index === -1 ? weights.length - 1 : index] ?? -1;
}
