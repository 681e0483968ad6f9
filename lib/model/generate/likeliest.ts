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
