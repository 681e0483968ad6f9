export interface Sampling {
  /** 0 means greedy. */
  readonly temperature: number;
  /** Probability mass to keep, in (0, 1]; 1 keeps everything. */
  readonly topP: number;
  /** Number of tokens to keep; 0 keeps all. */
  readonly topK: number;
}

/**
 * Returns the next token's id, or -1 if a logit is NaN. Greedy decoding takes the largest logit, and the
 * lowest id among equals. Sampling follows the order of Hugging Face transformers: temperature, then top-k,
 * then top-p over what is left, then one draw. logits: float [vocabulary]; random: uniform in [0, 1).
 */
export function chooseToken(logits: Float32Array, sampling: Sampling, random: () => number): number {
  const best = argMax(logits);
  if (best === -1 || sampling.temperature === 0) return best;
  const { topK, topP } = sampling;
  const weights = weigh(logits, logits[best]!, sampling.temperature);
  if (topK === 0 && topP >= 1) return draw(null, weights, random);
  const ids = likeliest(weights, topK, topP);
  return draw(
    ids,
    nucleus(
      Float64Array.from(ids, id => weights[id]!),
      weights,
      sampling,
    ),
    random,
  );
}

/** -1 if any logit is NaN or all are minus infinity. */
function argMax(logits: Float32Array): number {
  let best = -1;
  let highest = Number.NEGATIVE_INFINITY;
  for (let start = 0; start < logits.length; start += 4) {
    // False for a larger logit, for NaN, and past the end; true for nearly all.
    if (
      logits[start]! <= highest &&
      logits[start + 1]! <= highest &&
      logits[start + 2]! <= highest &&
      logits[start + 3]! <= highest
    )
      continue;
    const end = Math.min(start + 4, logits.length);
    for (let id = start; id < end; id++) {
      const logit = logits[id]!;
      if (Number.isNaN(logit)) return -1;
      if (logit <= highest) continue;
      highest = logit;
      best = id;
    }
  }
  return highest === Number.POSITIVE_INFINITY ? -1 : best;
}

/** Unnormalised probabilities: 1 for the likeliest token. */
function weigh(logits: Float32Array, highest: number, temperature: number): Float64Array {
  const weights = new Float64Array(logits.length);
  for (let id = 0; id < logits.length; id++) weights[id] = Math.exp((logits[id]! - highest) / temperature);
  return weights;
}

/**
 * Ids by descending weight, lower ids first among equals: the first `topK`, or as many as hold the share
 * `topP`. Sorts only the ids above a threshold, which is lowered until there are enough: most weights are
 * close to zero.
 */
function likeliest(weights: Float64Array, topK: number, topP: number): Uint32Array {
  const enough = topK === 0 ? topP * sumOf(weights) : Number.POSITIVE_INFINITY;
  const ids = new Uint32Array(weights.length);
  for (let threshold = 1 / 4; ; threshold = threshold < TINY ? 0 : threshold / 4) {
    let count = 0;
    let mass = 0;
    for (let id = 0; id < weights.length; id++) {
      const weight = weights[id]!;
      if (weight < threshold) continue;
      ids[count++] = id;
      mass += weight;
    }
    if (threshold > 0 && mass < enough && (topK === 0 || count < topK)) continue;
    const sorted = ids
      .subarray(0, count)
      .sort((one, other) => weights[other]! - weights[one]! || one - other);
    return topK === 0 ? sorted : sorted.subarray(0, topK);
  }
}

const TINY = 2 ** -60;

/** The smallest number of leading weights that hold the share topP of what top-k left; at least one. */
function nucleus(kept: Float64Array, all: Float64Array, { topK, topP }: Sampling): Float64Array {
  if (topP >= 1) return kept;
  const enough = topP * sumOf(topK === 0 ? all : kept);
  let mass = 0;
  const last = kept.findIndex(weight => {
    mass += weight;
    return mass >= enough;
  });
  return last === -1 ? kept : kept.subarray(0, last + 1);
}

function sumOf(weights: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < weights.length; index++) sum += weights[index]!;
  return sum;
}

/**
 * Draws one id with probability proportional to its weight; ids without a weight are excluded. Null `ids`:
 * index = id.
 */
function draw(ids: Uint32Array | null, weights: Float64Array, random: () => number): number {
  const target = random() * sumOf(weights);
  let passed = 0;
  let chosen = weights.length - 1;
  for (let index = 0; index < weights.length; index++) {
    passed += weights[index]!;
    if (passed > target) {
      chosen = index;
      break;
    }
  }
  return ids === null ? chosen : ids[chosen]!;
}
