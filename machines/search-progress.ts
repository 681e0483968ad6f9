import type { Attempt } from '../lib/core/attempt.ts';
import type { Feedback } from '../lib/core/choices.ts';
import type { Enumeration, Prescreening, Proposal, Ranking } from './actors.ts';

/** What the agent `search` stores about its candidates: plain data, like the rest of a machine's context. */

export interface SearchSettings {
  /** Maximum number of candidates to try. */
  readonly budget: number;
  /** Whether the model ranks them. */
  readonly rank: boolean;
}

export interface SearchProgress {
  /** In the order of trial. */
  readonly edits: readonly string[];
  /** Number of assertions that passed, for each edit that was tried. */
  readonly assertionsPassed: readonly number[];
  /** Number of edits that were tried. */
  readonly tried: number;
  /** Whether a model ranked them. */
  readonly ranked: boolean;
  /** Whether pairs were added to the single edits. */
  readonly pairsCombined: boolean;
  /** Whether the time limit was reached before all were tried. */
  readonly timeUp: boolean;
  /** 0-based positions of the final candidates so far. */
  readonly proposed: readonly number[];
  /**
   * Whether the last final candidate was only the best of those that fail, or of those that could not be
   * tried.
   */
  readonly isLast: boolean;
  /** What the model was asked, with its tokens and time; recorded with the next final candidate. */
  readonly prompt: Attempt['prompt'];
  readonly tokens: Attempt['tokens'];
  readonly proposalSeconds: number;
  readonly prescreenSeconds: number;
}

const noTokens = { prompt: 0, completion: 0 } as const;

export const searchStart: SearchProgress = {
  edits: [],
  assertionsPassed: [],
  tried: 0,
  ranked: false,
  pairsCombined: false,
  timeUp: false,
  proposed: [],
  isLast: false,
  prompt: [],
  tokens: noTokens,
  proposalSeconds: 0,
  prescreenSeconds: 0,
};

interface Context {
  readonly progress: SearchProgress | null;
  readonly feedback: Feedback;
}

export function withEdits({ progress }: Context, { edits, seconds }: Enumeration): SearchProgress {
  return { ...(progress ?? searchStart), edits, proposalSeconds: seconds };
}

export function withRanking({ progress }: Context, ranking: Ranking): SearchProgress {
  const before = progress ?? searchStart;
  const { edits, prompt, tokens, seconds } = ranking;
  const proposalSeconds = before.proposalSeconds + seconds;
  return { ...before, edits, prompt, tokens, proposalSeconds, ranked: prompt.length > 0 };
}

export function withPrescreening(
  { progress }: Context,
  { assertionsPassed, timeUp, seconds }: Prescreening,
): SearchProgress {
  const before = progress ?? searchStart;
  return {
    ...before,
    assertionsPassed: [...before.assertionsPassed, ...assertionsPassed],
    tried: before.tried + assertionsPassed.length,
    timeUp,
    prescreenSeconds: before.prescreenSeconds + seconds,
  };
}

export function withPairs({ progress }: Context, { edits, seconds }: Enumeration): SearchProgress {
  const before = progress ?? searchStart;
  const proposalSeconds = before.proposalSeconds + seconds;
  return { ...before, edits: [...before.edits, ...edits], pairsCombined: true, proposalSeconds };
}

/** Among those not proposed yet, the first with the most passing assertions. */
export function bestOf({ progress }: Context): number {
  const { edits, assertionsPassed, proposed: before } = progress ?? searchStart;
  const left = edits.map((_, index) => index).filter(index => !before.includes(index));
  const max = Math.max(...left.map(index => assertionsPassed[index] ?? 0));
  return left.find(index => (assertionsPassed[index] ?? 0) === max) ?? 0;
}

/** The edit as an answer. If each trial runs the hidden tests, its position is the number of trials. */
export function proposed(
  { progress, feedback }: Context,
  index: number,
  isLast: boolean,
): { readonly proposal: Proposal; readonly progress: SearchProgress } {
  const before = progress ?? searchStart;
  const proposal: Proposal = {
    iteration: feedback === 'tests' ? index : 0,
    node: 'search',
    temperature: null,
    prompt: before.prompt,
    completion: before.edits[index] ?? '',
    tokens: before.tokens,
    seconds: before.proposalSeconds,
  };
  const nothing = { tokens: noTokens, proposalSeconds: 0 };
  return { proposal, progress: { ...before, ...nothing, isLast, proposed: [...before.proposed, index] } };
}
