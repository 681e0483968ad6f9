import { assign, fromPromise, setup } from 'xstate';
import type { Attempt, Diagnosis, Score } from '../lib/core/attempt.ts';
import type { Task } from '../lib/core/task.ts';
import type { Feedback } from '../lib/prompt/feedback.ts';
import {
  type Cause,
  type CombinePairsInput,
  type EnumerateInput,
  type Enumeration,
  type Examination,
  type ExamineInput,
  type ExecuteInput,
  type GenerateInput,
  type Judgement,
  notProvided,
  type PrescreenInput,
  type Prescreening,
  type Proposal,
  type RankInput,
  type Ranking,
} from './actors.ts';
import { finalCandidate } from './final-candidate.ts';
import {
  bestOf,
  proposed,
  type SearchProgress,
  type SearchSettings,
  searchStart,
  withEdits,
  withPairs,
  withPrescreening,
  withRanking,
} from './search-progress.ts';
import type { TemperatureOptions } from './temperature.ts';

/**
 * What all agents share: their input, what they remember, and the guards and actions that mean the
 * same in each. Their contexts are plain data, so that a snapshot can be stored and taken up again.
 */
export interface AgentInput {
  readonly task: Task;
  /** Repair iterations after the draft; with 0 the draft is judged and that is all. */
  readonly budget: number;
  readonly temperature: TemperatureOptions;
  /**
   * `tests`: each candidate is judged by the tests that decide. With `examples` by the docstring's
   * examples, with `none` not at all; then the tests judge the final candidate alone, once.
   */
  readonly feedback: Feedback;
  /** Of the agent `search` alone. */
  readonly search?: SearchSettings | undefined;
}

export interface AgentContext extends AgentInput {
  /** 0 while the draft is under way; never above the budget. */
  readonly iteration: number;
  /** The attempts that were examined, and judged if they may be. */
  readonly attempts: readonly Attempt[];
  /** Of the attempt under way. */
  readonly proposal: Proposal | null;
  readonly examination: Examination | null;
  /** What the tests that decide say of the final candidate, where they judged no attempt. */
  readonly score: Score | null;
  /** How far a search is; null in other agents. */
  readonly progress: SearchProgress | null;
  /** The states visited. */
  readonly path: readonly string[];
  /** Why it broke. */
  readonly cause: Cause | null;
}

export function initialContext(input: AgentInput): AgentContext {
  return {
    ...input,
    iteration: 0,
    attempts: [],
    proposal: null,
    examination: null,
    score: null,
    progress: input.search ? searchStart : null,
    path: [],
    cause: null,
  };
}

export const agentSetup = setup({
  types: {
    input: {} as AgentInput,
    context: {} as AgentContext,
  },
  actors: {
    generate: fromPromise<Proposal, GenerateInput>(notProvided),
    examine: fromPromise<Examination, ExamineInput>(notProvided),
    execute: fromPromise<Judgement, ExecuteInput>(notProvided),
    enumerate: fromPromise<Enumeration, EnumerateInput>(notProvided),
    rank: fromPromise<Ranking, RankInput>(notProvided),
    prescreen: fromPromise<Prescreening, PrescreenInput>(notProvided),
    combinePairs: fromPromise<Enumeration, CombinePairsInput>(notProvided),
  },
  guards: {
    /** Only running it can tell more, and nothing that may be told would be learnt from that. */
    isFeedbackWithheld: ({ context }, examination: Examination) =>
      examination.verdict === null && isBlind(context),
    isRunnable: (_, examination: Examination) => examination.verdict === null,
    /** By the tests that decide. */
    isSolved: ({ context }, judgement: Judgement) =>
      judgement.verdict.kind === 'passed' && context.feedback === 'tests',
    isPassed: (_, judgement: Judgement) => judgement.verdict.kind === 'passed',
    isBudgetSpent: ({ context }) => context.iteration >= context.budget,
    /** The budget is spent, and the tests that decide have nothing more to say. */
    isOutOfIterations: ({ context }) => context.iteration >= context.budget && isScored(context),
    isScored: ({ context }) => isScored(context),
    /** The model gave an answer of its own again, with nothing that says it is wrong: it stands by it. */
    isSettled: ({ context }) => {
      const last = context.attempts.at(-1);
      return isBlind(context) && last?.repeated === true && !last.unchanged;
    },
    isRepeated: ({ context }) => context.attempts.at(-1)?.repeated === true,
    isUnrunnable: ({ context }) => unrunnableKinds.includes(context.attempts.at(-1)?.verdict?.kind ?? ''),
    /** The answer held no call, or one that cannot be read. */
    isMalformed: ({ context }) => isMalformed(context.attempts.at(-1)),
    /** It went wrong so often in a row that more of it is no use; there is something to hand in. */
    isGivenUp: ({ context }) => isLost(context) && !isScored(context),
    isLost: ({ context }) => isLost(context),
    hasNoCandidates: ({ context }) => context.progress?.edits.length === context.progress?.proposed.length,
    isRanking: ({ context }) => context.search?.rank === true,
    isBlind: ({ context }) => isBlind(context),
    isSurvivor: (_, prescreening: Prescreening) => prescreening.survived,
    isTimeUp: ({ context }) => context.progress?.timeUp === true,
    hasUntried: ({ context }) => (context.progress?.tried ?? 0) < (context.progress?.edits.length ?? 0),
    mayWiden: ({ context }) =>
      context.progress?.pairsCombined === false &&
      context.progress.edits.length < (context.search?.budget ?? 0),
    /** A candidate was handed in that nothing speaks against, or the best of those that fail. */
    isDecided: ({ context }) =>
      isHandedIn(context) && (isBlind(context) || context.progress?.isLast === true),
    isDecidedAndScored: ({ context }) =>
      isHandedIn(context) && context.progress?.isLast === true && isScored(context),
  },
  actions: {
    visit: assign({ path: ({ context }, { state }: { state: string }) => [...context.path, state] }),
    countIteration: assign({ iteration: ({ context }) => context.iteration + 1 }),
    keepProposal: assign({ proposal: (_, proposal: Proposal) => proposal }),
    keepExamination: assign({ examination: (_, examination: Examination) => examination }),
    keepCause: assign({ cause: (_, cause: Cause) => cause }),
    /** The attempt is complete: examined, and judged if it is to be. */
    keepAttempt: assign(({ context }, { examination, judgement }: Outcome) => ({
      attempts: [...context.attempts, ...attemptOf(context, examination ?? context.examination, judgement)],
      progress: context.progress && { ...context.progress, prescreenSeconds: 0 },
      proposal: null,
      examination: null,
    })),
    /** Of the last attempt: why it is wrong, in the model's words. */
    keepDiagnosis: assign({
      attempts: ({ context }, { completion, ...proposal }: Proposal) => {
        const { prompt, tokens, seconds } = proposal;
        const temperature = proposal.temperature ?? 0;
        const diagnosis: Diagnosis = { temperature, prompt, completion, tokens, seconds };
        const last = context.attempts.at(-1);
        return last ? [...context.attempts.slice(0, -1), { ...last, diagnosis }] : context.attempts;
      },
    }),
    keepEdits: assign({ progress: ({ context }, found: Enumeration) => withEdits(context, found) }),
    keepRanking: assign({ progress: ({ context }, ranking: Ranking) => withRanking(context, ranking) }),
    keepPrescreening: assign({
      progress: ({ context }, prescreening: Prescreening) => withPrescreening(context, prescreening),
    }),
    keepPairs: assign({ progress: ({ context }, found: Enumeration) => withPairs(context, found) }),
    proposeSurvivor: assign(({ context }) => proposed(context, (context.progress?.tried ?? 1) - 1, false)),
    proposeBest: assign(({ context }) => proposed(context, bestOf(context), true)),
    keepScore: assign({
      score: ({ context }, judgement: Judgement) => {
        const candidate = finalCandidate(context.attempts);
        return candidate === null ? null : { candidate, ...judgement };
      },
    }),
  },
});

const unrunnableKinds: readonly string[] = ['no-code', 'edit-not-applicable', 'syntax', 'signature'];

export interface Outcome {
  readonly examination?: Examination;
  readonly judgement?: Judgement;
}

/** The last candidate can be run, or so many before it could not that none will: the bug lies in what is not edited. */
function isHandedIn({ attempts }: AgentContext): boolean {
  const runnable = !unrunnableKinds.includes(attempts.at(-1)?.verdict?.kind ?? '');
  return runnable || attempts.length >= MOST_UNRUNNABLE;
}

/** Candidates in a row that a search hands in although they cannot be run. */
const MOST_UNRUNNABLE = 20;

function isMalformed(attempt: Attempt | undefined): boolean {
  return attempt?.verdict?.kind === 'no-code';
}

function isLost({ attempts }: AgentContext): boolean {
  return attempts.length >= MOST_MALFORMED && attempts.slice(-MOST_MALFORMED).every(isMalformed);
}

/** Answers in a row that hold no call that can be read. */
const MOST_MALFORMED = 3;

/** No test may be run between attempts, or there is none that may. */
function isBlind({ feedback, task }: AgentContext): boolean {
  return feedback === 'none' || (feedback === 'examples' && task.exampleTests.trim() === '');
}

function isScored({ feedback, attempts }: AgentContext): boolean {
  return feedback === 'tests' || finalCandidate(attempts) === null;
}

function attemptOf(
  { proposal, progress }: AgentContext,
  examination: Examination | null,
  judgement: Judgement | undefined,
): Attempt[] {
  if (!proposal || !examination) return [];
  const { candidate, repeated, unchanged } = examination;
  const { verdict = examination.verdict, seconds: executing = 0, ...run } = judgement ?? {};
  const { screeningSeconds = 0, ...asked } = proposal;
  const prescreening = screeningSeconds + (progress?.prescreenSeconds ?? 0);
  const seconds = { proposal: proposal.seconds, execution: prescreening + executing };
  return [{ ...asked, candidate, verdict, ...run, repeated, unchanged, seconds }];
}
