/**
 * Natural logarithm of the sum of exp(logit): a logit less this is the logarithm of its token's probability.
 * NaN if a logit is NaN, or if none is finite from below.
 */
export function logSumExp(logits: Float32Array): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (let id = 0; id < logits.length; id++) if (logits[id]! > highest) highest = logits[id]!;
  let sum = 0;
  for (let id = 0; id < logits.length; id++) sum += Math.exp(logits[id]! - highest);
  return highest + Math.log(sum);
}

/** Natural logarithm of the probability that one of these tokens comes next. */
export function logLikelihoodOf(ids: Iterable<number>, logits: Float32Array, total: number): number {
  let sum = 0;
  for (const id of ids) sum += Math.exp((logits[id] ?? Number.NEGATIVE_INFINITY) - total);
  return Math.log(sum);
}
