import type { CacheSlot } from '../decoder-graph.ts';
import type { ForwardPass } from '../forward-pass.ts';
import type { Tensor } from '../runtime.ts';
import type { Sequence } from '../sequence.ts';
import { cacheNumbers, cacheTensor, copyPositions } from './cache-tensor.ts';

/**
 * KV cache for graphs with GroupQueryAttention, which appends new keys and values in place if past and
 * present share a buffer, and reads as many positions as the mask is long. Dropping tokens only lowers a
 * counter. onnxruntime-node copies preallocated outputs once per pass, so the buffer is kept only slightly
 * larger than needed.
 */
export function inPlaceKvCache(pass: ForwardPass, slots: readonly CacheSlot[]): Sequence {
  return sequenceOf([], reserve(slots, 0, [], 0));

  function sequenceOf(start: readonly number[], room: Room): Sequence {
    const ids = [...start];
    let { capacity, tensors } = room;
    return {
      ids,
      get bytes() {
        return tensors.reduce((sum, tensor) => sum + cacheNumbers(tensor).byteLength, 0);
      },
      async append(newIds, rows) {
        const length = ids.length + newIds.length;
        if (length > capacity) ({ capacity, tensors } = reserve(slots, length, tensors, ids.length));
        const mask = new Uint8Array(length).fill(1);
        const { logits } = await pass({
          ids: newIds,
          position: ids.length,
          mask,
          past: tensors,
          into: tensors,
          rows,
        });
        ids.push(...newIds);
        return logits;
      },
      truncate(length) {
        ids.length = Math.min(ids.length, length);
      },
      fork(length) {
        return sequenceOf(ids.slice(0, length), reserve(slots, length, tensors, length));
      },
    };
  }
}

interface Room {
  /** Capacity in tokens. */
  readonly capacity: number;
  /** For each cache tensor of the graph: [1, key-value heads, capacity, head size]. */
  readonly tensors: readonly Tensor[];
}

/** In tokens. A smaller value copies the cache more often; a larger one makes each pass copy more. */
const STEP = 64;

/** A buffer for more than `length` tokens, with the first `count` tokens of another. */
function reserve(slots: readonly CacheSlot[], length: number, old: readonly Tensor[], count: number): Room {
  const capacity = (Math.floor(length / STEP) + 1) * STEP;
  const tensors = slots.map((slot, index) => {
    const tensor = cacheTensor(slot, capacity);
    const from = old[index];
    if (from !== undefined) copyPositions(from, 0, tensor, 0, count);
    return tensor;
  });
  return { capacity, tensors };
}
