import { sharedLength } from '../../generate/prefixes.ts';
import type { Sequence } from '../sequence.ts';

export interface PrefixStore {
  /**
   * Takes the sequence with the longest common prefix with `ids`, shortened so that at least the last token
   * is missing; a copy of that prefix if the sequence is in use. Until it is put back, it may only be
   * extended, and shortened to `ids`.
   */
  take(ids: readonly number[]): Sequence;
  /** Stores a sequence for prompts with the same beginning; the least recently used are evicted. */
  put(sequence: Sequence): void;
}

export interface PrefixLimits {
  readonly bytes: number;
  readonly sequences: number;
}

/** Prompts of one task, and of one run, begin alike: the cache of the common prefix is computed once. */
export function createPrefixStore(
  empty: Sequence,
  { bytes, sequences }: PrefixLimits = DEFAULT_LIMITS,
): PrefixStore {
  /** Ordered by last use, most recent last. */
  let stored: Sequence[] = [];
  const taken = new Set<Sequence>();
  return {
    take(ids) {
      const longest = [...stored, ...taken]
        .map(sequence => ({ sequence, shared: sharedLength(sequence.ids, ids) }))
        .reduce((best, one) => (one.shared > best.shared ? one : best), { sequence: empty, shared: 0 });
      const length = Math.min(longest.shared, ids.length - 1);
      const { sequence } = longest;
      // A sequence with little in common belongs to another task, which may need it again.
      const isShared = sequence === empty || taken.has(sequence) || length < sequence.ids.length / 2;
      const reused = isShared ? sequence.fork(length) : sequence;
      stored = stored.filter(other => other !== reused);
      taken.add(reused);
      reused.truncate(length);
      return reused;
    },
    put(sequence) {
      taken.delete(sequence);
      stored.push(sequence);
      let sum = 0;
      const fits = stored.toReversed().findIndex(one => {
        sum += one.bytes;
        return sum > bytes;
      });
      stored = stored.slice(-Math.min(sequences, fits === -1 ? stored.length : Math.max(1, fits)));
    },
  };
}

/** 256 MiB hold 11,000 tokens of a model with half a billion parameters. */
const DEFAULT_LIMITS: PrefixLimits = { bytes: 2 ** 28, sequences: 32 };
