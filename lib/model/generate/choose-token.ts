import { likeliest } from './logits.ts';

export interface Sampling {
  /** 0 means greedy. */
  readonly temperature: number;
  /** Probability mass to keep, in (0, 1]; 1 keeps everything. */
  readonly topP: number;
  /** Number of tokens to keep; 0 keeps all. */
  readonly topK: number;
}

/**
 * Returns the next token's id, or -1 if the logits give none (see argMax). Greedy decoding takes the largest logit, and
 * the lowest id among equals. Sampling follows the order of Hugging Face transformers: temperature, then top-k, then
 * top-p over what is left, then one draw. logits: float [vocabulary]; random: uniform in [0, 1).
 */
export function chooseToken(logits: Float32Array, sampling: Sampling, random: () => number): number {
  const best = argMax(logits);
  if (best === -1 || sampling.temperature === 0) return best;
  const { temperature, topK, topP } = sampling;
  const highest = logits[best]!;
  if (topK > 0) {
    const ids = likeliest(logits, topK);
    const weights = Float64Array.from(ids, id => weightOf(logits[id]!, highest, temperature));
    return draw(ids, leading(weights, topP * sumOf(weights)), random);
  }
  const all = new Float64Array(logits.length);
  for (let id = 0; id < logits.length; id++) all[id] = weightOf(logits[id]!, highest, temperature);
  if (topP >= 1) return draw(null, all, random);
  const enough = topP * sumOf(all);
  const ids = likeliestWith(enough, all);
  const weights = Float64Array.from(ids, id => all[id]!);
  return draw(ids, leading(weights, enough), random);
}

/** Unnormalised probability: 1 for the likeliest token. */
function weightOf(logit: number, highest: number, temperature: number): number {
  return Math.exp((logit - highest) / temperature);
}

/** -1 if any logit is NaN or infinity, or all are minus infinity. */
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

/**
 * At least as many ids as hold the weight `enough`, by descending weight, lower ids first among equals. Sorts only the
 * ids above a threshold, which is lowered until there are enough: most weights are close to zero.
 */
function likeliestWith(enough: number, weights: Float64Array): Uint32Array {
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
    if (threshold > 0 && mass < enough) continue;
    return ids.subarray(0, count).sort((one, other) => weights[other]! - weights[one]! || one - other);
  }
}

const TINY = 2 ** -60;

/** The smallest number of leading weights that hold `enough`, at least one; all if they do not hold it. */
function leading(weights: Float64Array, enough: number): Float64Array {
  let mass = 0;
  const last = weights.findIndex(weight => {
    mass += weight;
    return mass >= enough;
  });
  return last === -1 ? weights : weights.subarray(0, last + 1);
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
