const none: ReadonlySet<number> = new Set();

/**
 * Ids of the `count` largest logits in descending order, lower ids first among equals. Most logits are not larger than
 * the last of a list that is sorted and shortened now and then. logits: [vocabulary], without NaN
 */
export function likeliest(logits: Float32Array, count: number, except = none): Uint32Array {
  const room = Math.min(count, logits.length);
  const ids = new Uint32Array(4 * room);
  const sort = (size: number): Uint32Array =>
    ids.subarray(0, size).sort((one, other) => logits[other]! - logits[one]! || one - other);
  let size = 0;
  let least = Number.NEGATIVE_INFINITY;
  for (let id = 0; id < logits.length; id++) {
    if (logits[id]! <= least || except.has(id)) continue;
    ids[size++] = id;
    if (size < ids.length) continue;
    sort(size);
    size = room;
    least = logits[ids[room - 1]!]!;
  }
  return sort(size).subarray(0, room);
}

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
