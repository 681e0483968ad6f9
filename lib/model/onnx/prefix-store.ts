import { sharedLength } from '../generate/shared-length.ts';
import type { Sequence } from './sequence.ts';

export interface PrefixStore {
  /**
   * A sequence that begins like `ids` and lacks at least the last of them: the longest that is known.
   * It is out of the store until it is put back.
   */
  take(ids: readonly number[]): Sequence;
  /** Keeps a sequence for prompts that begin like it; those unused for longest make room. */
  put(sequence: Sequence): void;
}

export interface PrefixLimits {
  readonly bytes: number;
  readonly sequences: number;
}

/** The prompts of a task begin alike, and so do those of a run: the beginning's cache is computed once. */
export function createPrefixStore(
  empty: Sequence,
  { bytes, sequences }: PrefixLimits = DEFAULT_LIMITS,
): PrefixStore {
  /** The one used last comes last. */
  let kept: Sequence[] = [];
  return {
    take(ids) {
      const longest = kept
        .map(sequence => ({ sequence, shared: sharedLength(sequence.ids, ids) }))
        .reduce((best, one) => (one.shared > best.shared ? one : best), { sequence: empty, shared: 0 });
      const length = Math.min(longest.shared, ids.length - 1);
      const { sequence } = longest;
      // What has little in common with this prompt belongs to another task, which may go on with it.
      if (sequence === empty || length < sequence.ids.length / 2) return sequence.fork(length);
      kept = kept.filter(other => other !== sequence);
      sequence.truncate(length);
      return sequence;
    },
    put(sequence) {
      kept.push(sequence);
      let sum = 0;
      const fits = kept.toReversed().findIndex(one => {
        sum += one.bytes;
        return sum > bytes;
      });
      kept = kept.slice(-Math.min(sequences, fits === -1 ? kept.length : Math.max(1, fits)));
    },
  };
}

/** 256 MiB are 11,000 tokens of a model of half a billion parameters. */
const DEFAULT_LIMITS: PrefixLimits = { bytes: 2 ** 28, sequences: 32 };
