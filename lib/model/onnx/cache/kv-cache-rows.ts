import type { CacheSlot } from '../decoder-graph.ts';
import type { ForwardPass } from '../forward-pass.ts';
import { Tensor } from '../runtime.ts';
import type { Sequence } from '../sequence.ts';
import { type CacheNumbers, cacheNumbers } from './cache-tensor.ts';

/**
 * KV cache for rewritten graphs (rewrite-cache.ts), ordered by position: a pass reads the rows in use where they are,
 * and new rows are written after them. Dropping tokens only lowers a counter. A fork shares the rows until it adds
 * others than the sequence that it shares them with.
 */
export function rowsKvCache(pass: ForwardPass, slots: readonly CacheSlot[]): Sequence {
  return sequenceOf([], createRows(slots, 0));

  function sequenceOf(start: readonly number[], shared: Rows): Sequence {
    const ids = [...start];
    let rows = shared;
    const self: Sequence = {
      ids,
      get bytes() {
        return rows.buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
      },
      async append(newIds, wanted) {
        const position = ids.length;
        const length = position + newIds.length;
        const past = slots.map((slot, index) => pastOf(slot, rows.buffers[index], position));
        const mask = new Uint8Array(length).fill(1);
        const { logits, present } = await pass({
          ...{ ids: newIds, position, mask, past, into: null, rows: wanted },
        });
        rows = writable(rows, self, position, length);
        const [added] = present.map(cacheNumbers);
        rows.buffers.forEach((buffer, index) => {
          const size = rowSize(slots[index]);
          const first = index * newIds.length * size;
          if (added) buffer.set(added.subarray(first, first + newIds.length * size), position * size);
        });
        ids.push(...newIds);
        return logits;
      },
      truncate(length) {
        ids.length = Math.min(ids.length, length);
      },
      fork(length) {
        rows.shared = Math.max(rows.shared, length);
        return sequenceOf(ids.slice(0, length), rows);
      },
    };
    return self;
  }

  /** Rows that the sequence may write from `position` on: the same, or a copy with room for more than `length`. */
  function writable(rows: Rows, writer: Sequence, position: number, length: number): Rows {
    const isFree = rows.writer === writer ? position >= rows.shared : position === rows.used;
    if (isFree && length <= rows.capacity) {
      if (rows.writer !== writer) rows.shared = position;
      rows.writer = writer;
      rows.used = length;
      return rows;
    }
    const copy = createRows(slots, length + (length >> 2) + SPARE);
    copy.buffers.forEach((buffer, index) => {
      const keptRows = rows.buffers[index]?.subarray(0, position * rowSize(slots[index]));
      if (keptRows) buffer.set(keptRows);
    });
    return Object.assign(copy, { writer, used: length });
  }
}

/** The keys and values of one or more sequences with a common beginning. */
interface Rows {
  /** For each cache tensor of the graph: [capacity, key-value heads, head size]. */
  readonly buffers: readonly CacheNumbers[];
  /** In positions. */
  readonly capacity: number;
  /** Positions that hold rows of any sequence. */
  used: number;
  /** Of those, how many may belong to several sequences. */
  shared: number;
  /** The sequence that may replace the others. */
  writer: Sequence | null;
}

/** In positions. */
const SPARE = 64;

function createRows(slots: readonly CacheSlot[], capacity: number): Rows {
  const buffers = slots.map(slot => {
    const size = capacity * rowSize(slot);
    return slot.type === 'float16' ? new Uint16Array(size) : new Float32Array(size);
  });
  return { buffers, capacity, used: 0, shared: 0, writer: null };
}

function rowSize(slot: CacheSlot | undefined): number {
  return slot === undefined ? 0 : slot.heads * slot.headSize;
}

/** [1, positions, key-value heads, head size] */
function pastOf(slot: CacheSlot, buffer: CacheNumbers | undefined, positions: number): Tensor {
  const data = buffer?.subarray(0, positions * rowSize(slot)) ?? [];
  return new Tensor(slot.type, data as Float32Array, [1, positions, slot.heads, slot.headSize]);
}
