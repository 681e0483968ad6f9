import { PIECE_TOKENS } from '../../build/attention/attend.ts';
import type { CacheSlot } from '../decoder-graph.ts';
import type { ForwardPass } from '../forward-pass.ts';
import type { Sequence } from '../sequence.ts';
import { type CacheRoom, copyOfRoom, createCacheRoom } from './cache-room.ts';
import { cacheNumbers } from './cache-tensor.ts';

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
          const own = added?.subarray(index * size, (index + 1) * size);
          if (own !== undefined) room.write(own, position, newIds.length);
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

/** These graphs hide positions by their number. */
const NO_MASK = new Uint8Array(0);

/** In tokens. The graph computes attention over unused positions too. */
const STEP = 64;

/** An eighth more than the length, so that the cache is moved rarely. */
function roomFor(length: number): number {
  return Math.ceil((length + length / 8 + 1) / STEP) * STEP;
}
