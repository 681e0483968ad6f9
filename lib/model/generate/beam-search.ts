import type { Logits, Sequence } from '../onnx/sequence.ts';
import { likeliest, logLikelihoodOf, logSumExp } from './logits.ts';
import type { TokenTrie } from './prefixes.ts';

export interface BeamInput {
  /** The prompt's keys and values, and the logits of its last token. */
  readonly prompt: Sequence;
  readonly logits: Logits;
  readonly beams: number;
  readonly maxNewTokens: number;
  /** Tokens that end a hypothesis. */
  readonly endIds: ReadonlySet<number>;
  /**
   * If given, hypotheses follow the outline until it allows any text. Likelihoods are those of the
   * unconstrained model.
   */
  readonly outline?: TokenTrie | undefined;
  readonly onInvalidLogits: (position: number) => Error;
  readonly signal?: AbortSignal | undefined;
}

export interface Hypothesis {
  /** Without the end token. */
  readonly ids: readonly number[];
  /** Includes the end token. */
  readonly logLikelihood: number;
}

/**
 * Beam search: extends all hypotheses by one token at a time and keeps the likeliest. A hypothesis that ends
 * is set aside. A longer hypothesis is never likelier than its prefix, so the search stops when no open
 * hypothesis is likelier than the finished ones to return. Returns the finished hypotheses, likeliest first.
 */
export async function beamSearch(
  input: BeamInput,
): Promise<{ readonly hypotheses: readonly Hypothesis[]; readonly newTokens: number }> {
  const { prompt, beams, endIds, signal } = input;
  const promptLength = prompt.ids.length;
  let ended: Hypothesis[] = [];
  let open: OpenHypothesis[] = [
    { sequence: prompt, logLikelihood: 0, logits: input.logits.row(0), node: input.outline ?? null },
  ];
  let newTokens = 0;

  for (let length = 1; length <= input.maxNewTokens && open.length > 0; length++) {
    const longer: Continuation[] = [];
    for (const parent of open) {
      const total = logSumExp(parent.logits);
      if (Number.isNaN(total)) throw input.onInvalidLogits(parent.sequence.ids.length);
      const { node } = parent;
      if (!node || node.mayEnd) {
        const end = parent.logLikelihood + logLikelihoodOf(endIds, parent.logits, total);
        ended.push({ ids: parent.sequence.ids.slice(promptLength), logLikelihood: end });
      }
      const ids = node ? node.next.keys() : likeliest(parent.logits, beams, endIds);
      for (const id of ids) {
        const logLikelihood = parent.logLikelihood + (parent.logits[id] ?? 0) - total;
        const next = node?.next.get(id);
        longer.push({ parent, id, logLikelihood, node: next && !next.isFree ? next : null });
      }
    }
    ended = ended.sort(byLikelihood).slice(0, beams);
    const last = ended.length < beams ? Number.NEGATIVE_INFINITY : (ended.at(-1)?.logLikelihood ?? 0);
    const continued = longer
      .sort(byLikelihood)
      .slice(0, beams)
      .filter(({ logLikelihood }) => logLikelihood > last);
    newTokens += continued.length;
    if (length === input.maxNewTokens) break;
    open = [];
    for (const { parent, id, logLikelihood, node } of continued) {
      signal?.throwIfAborted();
      const sequence = parent.sequence.fork(promptLength + length - 1);
      const logits = (await sequence.append([id], 1)).row(0).slice();
      open.push({ sequence, logLikelihood, logits, node });
    }
  }
  const possible = ended.filter(({ logLikelihood }) => logLikelihood > Number.NEGATIVE_INFINITY);
  return { hypotheses: possible, newTokens };
}

interface OpenHypothesis {
  readonly sequence: Sequence;
  readonly logLikelihood: number;
  /** Logits of its last token. */
  readonly logits: Float32Array;
  /** Position in the outline; null once any text is allowed. */
  readonly node: TokenTrie | null;
}

interface Continuation {
  readonly parent: OpenHypothesis;
  readonly id: number;
  readonly logLikelihood: number;
  readonly node: TokenTrie | null;
}

function byLikelihood(one: { logLikelihood: number }, other: { logLikelihood: number }): number {
  return other.logLikelihood - one.logLikelihood;
}
