import type { CacheSlot } from '../decoder-graph.ts';
import type { ForwardPass } from '../forward-pass.ts';
import { Tensor } from '../runtime.ts';
import type { Sequence } from '../sequence.ts';
import { type CacheNumbers, cacheNumbers, copyPositions } from './cache-tensor.ts';

/**
 * KV cache for graphs that return only new keys and values: a pass reads the cache where it is, and the new
 * rows, a few kilobytes a token, are copied to its end. Dropping tokens only lowers a counter.
 */
export function appendedKvCache(pass: ForwardPass, slots: readonly CacheSlot[]): Sequence {
  return sequenceOf(
    [],
    slots.map(slot => createCacheRoom(slot, STEP)),
    STEP,
  );

  function sequenceOf(start: readonly number[], rooms: readonly CacheRoom[], reserved: number): Sequence {
    const ids = [...start];
    let positions = reserved;
    const resize = (to: number, used: number): void => {
      positions = to;
      for (const room of rooms) room.resize(to, used);
    };
    return {
      ids,
      get bytes() {
        return rooms.reduce((sum, { tensor }) => sum + cacheNumbers(tensor).byteLength, 0);
      },
      async append(newIds, rows) {
        const position = ids.length;
        const isPiece = newIds.length >= PIECE_TOKENS;
        // Moving the cache costs less than attention over unused positions.
        if (isPiece) resize(Math.max(1, position), position);
        const past = rooms.map(({ tensor }) => tensor);
        const input = { ids: newIds, position, mask: NO_MASK, past, into: null, rows };
        const { logits, present } = await pass(input);
        const length = position + newIds.length;
        if (length > positions) resize(isPiece ? length : roomFor(length), position);
        const [added] = present.map(cacheNumbers);
        const size = (added?.length ?? 0) / rooms.length;
        rooms.forEach((room, index) => {
          const newRows = added?.subarray(index * size, (index + 1) * size);
          if (newRows !== undefined) room.write(newRows, position, newIds.length);
        });
        ids.push(...newIds);
        return logits;
      },
      truncate(length) {
        ids.length = Math.min(ids.length, length);
      },
      fork(length) {
        const positions = roomFor(length);
        const copies = slots.flatMap((slot, index) => {
          const room = rooms[index];
          return room === undefined ? [] : copyOfRoom(room, slot, positions, length);
        });
        return sequenceOf(ids.slice(0, length), copies, positions);
      },
    };
  }
}

/** New tokens from which on they count as a piece of a prompt; drafts are shorter. */
const PIECE_TOKENS = 32;

/** These graphs hide positions by their number. */
const NO_MASK = new Uint8Array(0);

/** In tokens. The graph computes attention over unused positions too. */
const STEP = 64;

/** An eighth more than the length, so that the cache is moved rarely. */
function roomFor(length: number): number {
  return Math.ceil((length + length / 8 + 1) / STEP) * STEP;
}

/** One cache tensor of a sequence, with room for positions that are not in use yet. */
interface CacheRoom {
  /** [1, key-value heads, positions, head size] */
  readonly tensor: Tensor;
  /** Changes the number of positions; the first `used` of them are kept. */
  resize(positions: number, used: number): void;
  /** Copies rows [key-value heads, count, head size] to the positions from `start` on. */
  write(rows: CacheNumbers, start: number, count: number): void;
}

/**
 * A new buffer is up to twice as long as the tensor, so that growing mostly moves heads within it and leaves
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
function copyOfRoom(room: CacheRoom, slot: CacheSlot, positions: number, used: number): CacheRoom {
  const copy = createCacheRoom(slot, positions);
  copyPositions(room.tensor, 0, copy.tensor, 0, used);
  return copy;
}
