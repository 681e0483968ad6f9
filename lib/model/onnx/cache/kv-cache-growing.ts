import type { CacheSlot } from '../decoder-graph.ts';
import type { ForwardPass } from '../forward-pass.ts';
import type { Tensor } from '../runtime.ts';
import type { Sequence } from '../sequence.ts';
import { cacheNumbers, cacheTensor, copyPositions } from './cache-tensor.ts';

/**
 * KV cache for graphs that return a new cache with each pass, covering past and new tokens. These caches are
 * immutable, so sequences share them and forking is free. If the graph honours the attention mask, dropped
 * tokens stay in the cache and are masked out until there are many; otherwise the cache is copied without
 * them.
 */
export function growingKvCache(pass: ForwardPass, slots: readonly CacheSlot[], maskHides: boolean): Sequence {
  return sequenceOf({ ids: [], past: slots.map(slot => cacheTensor(slot, 0)), visible: new Uint8Array(0) });

  function sequenceOf(start: Cache): Sequence {
    const ids = [...start.ids];
    let { past, visible } = start;
    return {
      ids,
      get bytes() {
        return past.reduce((sum, tensor) => sum + cacheNumbers(tensor).byteLength, 0);
      },
      async append(newIds, rows) {
        const hidden = visible.length - ids.length;
        if (hidden > (maskHides ? MAX_HIDDEN : 0)) {
          past = slots.flatMap((slot, index) => (past[index] ? squeezed(past[index], slot, visible) : []));
          visible = new Uint8Array(ids.length).fill(1);
        }
        const mask = new Uint8Array(visible.length + newIds.length).fill(1);
        mask.set(visible);
        const done = await pass({ ids: newIds, position: ids.length, mask, past, into: null, rows });
        past = done.present;
        visible = mask;
        ids.push(...newIds);
        return done.logits;
      },
      truncate(length) {
        visible = visible.slice();
        for (let position = visible.length - 1; ids.length > length; position--) {
          if (visible[position] === 0) continue;
          visible[position] = 0;
          ids.pop();
        }
      },
      fork(length) {
        const copy = sequenceOf({ ids, past, visible });
        copy.truncate(length);
        return copy;
      },
    };
  }
}

interface Cache {
  readonly ids: readonly number[];
  /** For each cache tensor of the graph: [1, key-value heads, positions, head size]. */
  readonly past: readonly Tensor[];
  /** For each position: 1 if it holds one of the ids, 0 if it is masked out. */
  readonly visible: Uint8Array;
}

/** A masked position costs as much attention as a visible one. */
const MAX_HIDDEN = 32;

/** A copy without the masked positions. */
function squeezed(tensor: Tensor, slot: CacheSlot, visible: Uint8Array): Tensor {
  const count = visible.reduce((sum, one) => sum + one, 0);
  const to = cacheTensor(slot, count);
  let end = 0;
  for (let start = visible.indexOf(1); start !== -1; ) {
    const hidden = visible.indexOf(0, start);
    const stop = hidden === -1 ? visible.length : hidden;
    copyPositions(tensor, start, to, end, stop - start);
    end += stop - start;
    start = visible.indexOf(1, stop);
  }
  return to;
}
