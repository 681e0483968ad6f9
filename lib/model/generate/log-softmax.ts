/**
 * Natural logarithm of the sum of exp(logit). Subtract it from a logit to get the log probability of that
 * token. NaN if a logit is NaN or all are minus infinity.
 */
export function logSumExp(logits: Float32Array): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (let id = 0; id < logits.length; id++) if (logits[id]! > highest) highest = logits[id]!;
  let sum = 0;
  for (let id = 0; id < logits.length; id++) sum += Math.exp(logits[id]! - highest);
  return highest + Math.log(sum);
}

/** Log probability that the next token is one of these. */
export function logLikelihoodOf(ids: Iterable<number>, logits: Float32Array, total: number): number {
  let sum = 0;
  for (const id of ids) sum += Math.exp((logits[id] ?? Number.NEGATIVE_INFINITY) - total);
  return Math.log(sum);
}
