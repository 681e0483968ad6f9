import type { Attempt } from '../lib/core/attempt.ts';
import type { Feedback } from '../lib/prompt/feedback.ts';
import type { Enumeration, Prescreening, Proposal, Ranking } from './actors.ts';

/** What the agent `search` remembers of its candidates: plain data, as all of a machine's context. */

export interface SearchSettings {
  /** How many candidates may be tried. */
  readonly budget: number;
  /** Whether the model is asked for their order. */
  readonly rank: boolean;
}

export interface SearchProgress {
  /** In the order in which they are tried. */
  readonly edits: readonly string[];
  /** Assertions that held, for each edit that was tried. */
  readonly held: readonly number[];
  /** How many were tried. */
  readonly tried: number;
  /** Whether a model put them in order. */
  readonly ranked: boolean;
  /** Whether pairs were added to single edits. */
  readonly pairsCombined: boolean;
  /** Whether the time of the search was up before all were tried. */
  readonly timeUp: boolean;
  /** Places of those that were handed in, from 0. */
  readonly proposed: readonly number[];
  /** The one handed in last was the best of those that fail, or of those that could not be tried. */
  readonly isLast: boolean;
  /** What the model was asked, and what that took; told with the next candidate that is handed in. */
  readonly prompt: Attempt['prompt'];
  readonly tokens: Attempt['tokens'];
  readonly proposalSeconds: number;
  readonly prescreenSeconds: number;
}

const noTokens = { prompt: 0, completion: 0 } as const;

export const searchStart: SearchProgress = {
  edits: [],
  held: [],
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
  { held, timeUp, seconds }: Prescreening,
): SearchProgress {
  const before = progress ?? searchStart;
  return {
    ...before,
    held: [...before.held, ...held],
    tried: before.tried + held.length,
    timeUp,
    prescreenSeconds: before.prescreenSeconds + seconds,
  };
}

export function withPairs({ progress }: Context, { edits, seconds }: Enumeration): SearchProgress {
  const before = progress ?? searchStart;
  const proposalSeconds = before.proposalSeconds + seconds;
  return { ...before, edits: [...before.edits, ...edits], pairsCombined: true, proposalSeconds };
}

/** Of those not handed in yet, the first for which most assertions held. */
export function bestOf({ progress }: Context): number {
  const { edits, held, proposed: before } = progress ?? searchStart;
  const left = edits.map((_, place) => place).filter(place => !before.includes(place));
  const most = Math.max(...left.map(place => held[place] ?? 0));
  return left.find(place => (held[place] ?? 0) === most) ?? 0;
}

/** The edit as an answer. Where each try asks the tests that decide, its place says how many tries it took. */
export function proposed(
  { progress, feedback }: Context,
  place: number,
  isLast: boolean,
): { readonly proposal: Proposal; readonly progress: SearchProgress } {
  const before = progress ?? searchStart;
  const proposal: Proposal = {
    iteration: feedback === 'tests' ? place : 0,
    node: 'search',
    temperature: null,
    prompt: before.prompt,
    completion: before.edits[place] ?? '',
    tokens: before.tokens,
    seconds: before.proposalSeconds,
  };
  const told = { tokens: noTokens, proposalSeconds: 0 };
  return { proposal, progress: { ...before, ...told, isLast, proposed: [...before.proposed, place] } };
}
