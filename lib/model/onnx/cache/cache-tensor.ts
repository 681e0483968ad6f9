import type { CacheSlot } from '../decoder-graph.ts';
import { Tensor } from '../runtime.ts';

export type CacheNumbers = Float32Array | Uint16Array;

/** [1, key-value heads, positions, head size], zeros. */
export function cacheTensor({ type, heads, headSize }: CacheSlot, positions: number): Tensor {
  const size = heads * positions * headSize;
  const dims = [1, heads, positions, headSize];
  return type === 'float16'
    ? new Tensor(type, new Uint16Array(size), dims)
    : new Tensor(type, new Float32Array(size), dims);
}

/** A tensor's elements; float16 values as bits, since the engine may return them as a Float16Array. */
export function cacheNumbers({ data, type }: Tensor): CacheNumbers {
  if (data instanceof Float32Array || data instanceof Uint16Array) return data;
  if (type === 'float16' && ArrayBuffer.isView(data)) {
    return new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2);
  }
  throw new TypeError(`a cache of type ${type}`);
}

/** Copies `rows` positions of every head, starting at `fromPosition`, to `toPosition`. */
export function copyPositions(
  from: Tensor,
  fromPosition: number,
  to: Tensor,
  toPosition: number,
  rows: number,
): void {
  const [, heads = 0, fromPositions = 0, headSize = 0] = from.dims;
  const [, , toPositions = 0] = to.dims;
  const source = cacheNumbers(from);
  const target = cacheNumbers(to);
  for (let head = 0; head < heads; head++) {
    const start = (head * fromPositions + fromPosition) * headSize;
    target.set(source.subarray(start, start + rows * headSize), (head * toPositions + toPosition) * headSize);
  }
}
