import type { CacheSlot } from '../decoder-graph.ts';
import { Tensor } from '../runtime.ts';
import { type CacheNumbers, copyPositions } from './cache-tensor.ts';

/** One cache tensor of a sequence, with room for positions that are not in use yet. */
export interface CacheRoom {
  /** [1, key-value heads, positions, head size] */
  readonly tensor: Tensor;
  /** Changes the number of positions; the first `used` of them are kept. */
  resize(positions: number, used: number): void;
  /** Copies rows [key-value heads, count, head size] to the positions from `start` on. */
  write(rows: CacheNumbers, start: number, count: number): void;
}

/**
 * The buffer is up to twice as long as the tensor, so that growing mostly moves heads within it and leaves
 * little garbage; memory that was never written to takes no space.
 */
export function createCacheRoom({ type, heads, headSize }: CacheSlot, length: number): CacheRoom {
  let positions = length;
  let buffer = newBuffer(length);
  let tensor = view();

  function newBuffer(positions: number): CacheNumbers {
    const size = heads * headSize * 2 ** Math.ceil(Math.log2(Math.max(1, positions)));
    return type === 'float16' ? new Uint16Array(size) : new Float32Array(size);
  }

  function view(): Tensor {
    const data = buffer.subarray(0, heads * positions * headSize);
    return new Tensor(type, data as Float32Array, [1, heads, positions, headSize]);
  }

  return {
    get tensor() {
      return tensor;
    },
    resize(to, used) {
      const old = buffer;
      if (heads * to * headSize > old.length) buffer = newBuffer(to);
      // Within a buffer, the head that moves farthest is at the end that it moves to: it moves first.
      for (let index = 0; index < heads; index++) {
        const head = to < positions ? index : heads - 1 - index;
        const start = head * positions * headSize;
        buffer.set(old.subarray(start, start + used * headSize), head * to * headSize);
      }
      positions = to;
      tensor = view();
    },
    write(rows, start, count) {
      for (let head = 0; head < heads; head++) {
        const from = head * count * headSize;
        const to = (head * positions + start) * headSize;
        buffer.set(rows.subarray(from, from + count * headSize), to);
      }
    },
  };
}

/** A separate room for `positions`, with the first `used` of another. */
export function copyOfRoom(room: CacheRoom, slot: CacheSlot, positions: number, used: number): CacheRoom {
  const copy = createCacheRoom(slot, positions);
  copyPositions(room.tensor, 0, copy.tensor, 0, used);
  return copy;
}
