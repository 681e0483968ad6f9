import { expect, test } from 'vitest';
import { createCacheRoom } from '../../../lib/model/onnx/cache/kv-cache-appended.ts';

const slot = { past: 'past', present: null, type: 'float32', heads: 4, headSize: 1 } as const;

test.each([7, 8, 9, 12, 40])('a room of 9 positions keeps those in use when it gets %i', positions => {
  const room = createCacheRoom(slot, 9);
  const rows = Float32Array.from({ length: 4 * 7 }, (_, index) => 1 + index);
  room.write(rows, 0, 7);
  room.resize(positions, 7);
  expect(room.tensor.dims).toEqual([1, 4, positions, 1]);
  const data = room.tensor.data as Float32Array;
  const kept = [0, 1, 2, 3].flatMap(head => [...data.subarray(head * positions, head * positions + 7)]);
  expect(kept).toEqual([...rows]);
});
