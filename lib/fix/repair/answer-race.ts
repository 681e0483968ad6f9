import type { Candidate, Trial } from '../../../machines/actors.ts';
import { isPassing } from '../../../machines/pool.ts';

/** Edits are tried while a model that writes functions answers: which of them wins may depend on the clock. */
export interface AnswerRace {
  /**
   * Keeps what was tried until the model answered.
   * @param trials of the first of the candidates, up to the answer
   */
  answeredAfter(candidates: readonly Candidate[], trials: readonly Trial[]): void;
  /** Whether an answer won, and edits were left that a slower answer would have met as repairs. */
  isDecisive(candidates: readonly Candidate[], trials: readonly Trial[]): boolean;
}

export function createAnswerRace(): AnswerRace {
  let isCut = false;
  return {
    answeredAfter(candidates, trials) {
      isCut ||= trials.length < candidates.length && !trials.some(isPassing);
    },
    isDecisive: (candidates, trials) =>
      isCut && candidates[trials.findIndex(isPassing)]?.origin.kind === 'sample',
  };
}
