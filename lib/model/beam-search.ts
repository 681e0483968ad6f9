import { logLikelihoodOf, logSumExp } from './log-softmax.ts';
import type { Logits, Sequence } from './sequence.ts';

export interface BeamInput {
  /** Of the prompt, and the logits of its last token. */
  readonly prompt: Sequence;
  readonly logits: Logits;
  readonly beams: number;
  readonly maxNewTokens: number;
  /** A token among these ends a hypothesis. */
  readonly endIds: ReadonlySet<number>;
  readonly onInvalidLogits: (position: number) => Error;
  readonly signal?: AbortSignal | undefined;
}

export interface Hypothesis {
  /** The end token left out. */
  readonly ids: readonly number[];
  /** Its end token's included. */
  readonly logLikelihood: number;
}

/**
 * Beam search: all hypotheses are lengthened by one token at a time, and the likeliest are kept. A hypothesis
 * that ends is set aside; since a longer one is never likelier than its beginning, the search is over when no
 * open one is likelier than all that may come back. Gives those that ended, the likeliest first.
 */
export async function beamSearch(
  input: BeamInput,
): Promise<{ readonly hypotheses: readonly Hypothesis[]; readonly newTokens: number }> {
  const { prompt, beams, endIds, signal } = input;
  const promptLength = prompt.ids.length;
  let ended: Hypothesis[] = [];
  let open: OpenHypothesis[] = [{ sequence: prompt, logLikelihood: 0, logits: input.logits.row(0) }];
  let newTokens = 0;

  for (let length = 1; length <= input.maxNewTokens && open.length > 0; length++) {
    const longer: Continuation[] = [];
    for (const parent of open) {
      const total = logSumExp(parent.logits);
      if (Number.isNaN(total)) throw input.onInvalidLogits(parent.sequence.ids.length);
      const end = parent.logLikelihood + logLikelihoodOf(endIds, parent.logits, total);
      ended.push({ ids: parent.sequence.ids.slice(promptLength), logLikelihood: end });
      for (const id of likeliest(parent.logits, beams, endIds)) {
        const logLikelihood = parent.logLikelihood + (parent.logits[id] ?? 0) - total;
        longer.push({ parent, id, logLikelihood });
      }
    }
    ended = ended.sort(byLikelihood).slice(0, beams);
    const last = ended.length < beams ? Number.NEGATIVE_INFINITY : (ended.at(-1)?.logLikelihood ?? 0);
    const kept = longer
      .sort(byLikelihood)
      .slice(0, beams)
      .filter(({ logLikelihood }) => logLikelihood > last);
    newTokens += kept.length;
    if (length === input.maxNewTokens) break;
    open = [];
    for (const { parent, id, logLikelihood } of kept) {
      signal?.throwIfAborted();
      const sequence = parent.sequence.fork(promptLength + length - 1);
      const logits = (await sequence.append([id], 1)).row(0).slice();
      open.push({ sequence, logLikelihood, logits });
    }
  }
  const possible = ended.filter(({ logLikelihood }) => logLikelihood > Number.NEGATIVE_INFINITY);
  return { hypotheses: possible, newTokens };
}

interface OpenHypothesis {
  readonly sequence: Sequence;
  readonly logLikelihood: number;
  /** Of its last token. */
  readonly logits: Float32Array;
}

interface Continuation {
  readonly parent: OpenHypothesis;
  readonly id: number;
  readonly logLikelihood: number;
}

function byLikelihood(one: { logLikelihood: number }, other: { logLikelihood: number }): number {
  return other.logLikelihood - one.logLikelihood;
}

/** The `count` largest, the largest first; the list stays sorted, and most logits never enter it. */
function likeliest(logits: Float32Array, count: number, except: ReadonlySet<number>): readonly number[] {
  const best: number[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (let id = 0; id < logits.length; id++) {
    const logit = logits[id]!;
    if (logit <= least || except.has(id)) continue;
    const place = best.findLastIndex(other => logits[other]! >= logit) + 1;
    best.splice(place, 0, id);
    if (best.length > count) best.pop();
    if (best.length === count) least = logits[best[count - 1]!]!;
  }
  return best;
}
