import { assign, fromPromise, setup } from 'xstate';
import type { Attempt, Diagnosis, Score } from '../lib/core/attempt.ts';
import type { Feedback } from '../lib/core/choices.ts';
import type { Task } from '../lib/core/task.ts';
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
 * What all agents share: their input, their context, and the guards and actions with the same meaning in
 * each. Contexts are plain data, so that snapshots can be stored and resumed.
 */
export interface AgentInput {
  readonly task: Task;
  /** Repair iterations after the draft; with 0 only the draft is judged. */
  readonly maxIterations: number;
  readonly temperature: TemperatureOptions;
  /**
   * `tests`: each candidate is judged by the hidden tests. `examples`: by the docstring's examples. `none`:
   * not at all. In the last two cases the hidden tests judge only the final candidate, once.
   */
  readonly feedback: Feedback;
  /** Set only by the agent `search`. */
  readonly search?: SearchSettings | undefined;
}

export interface AgentContext extends AgentInput {
  /** 0 during the draft; never above `maxIterations`. */
  readonly iteration: number;
  /** The attempts that were examined and, if allowed, judged. */
  readonly attempts: readonly Attempt[];
  /** Parts of the current attempt. */
  readonly proposal: Proposal | null;
  readonly examination: Examination | null;
  /** The hidden tests' verdict on the final candidate, if they judged no attempt. */
  readonly score: Score | null;
  /** Progress of a search; null in other agents. */
  readonly progress: SearchProgress | null;
  /** The states visited. */
  readonly path: readonly string[];
  /** The reason for the state `error`. */
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
    /** Only running the candidate could tell more, and the agent must not see the result. */
    isFeedbackWithheld: ({ context }, examination: Examination) =>
      examination.verdict === null && isBlind(context),
    isRunnable: (_, examination: Examination) => examination.verdict === null,
    /** The hidden tests passed. */
    isSolved: ({ context }, judgement: Judgement) =>
      judgement.verdict.kind === 'passed' && context.feedback === 'tests',
    isPassed: (_, judgement: Judgement) => judgement.verdict.kind === 'passed',
    isOutOfIterations: ({ context }) => context.iteration >= context.maxIterations,
    /** No iterations are left, and the hidden tests have judged. */
    isUnsolved: ({ context }) => context.iteration >= context.maxIterations && isScored(context),
    isScored: ({ context }) => isScored(context),
    /** The model repeated its own answer although nothing says that it is wrong: it is final. */
    isSettled: ({ context }) => {
      const last = context.attempts.at(-1);
      return isBlind(context) && last?.repeated === true && !last.unchanged;
    },
    isRepeated: ({ context }) => context.attempts.at(-1)?.repeated === true,
    isUnrunnable: ({ context }) => unrunnableKinds.includes(context.attempts.at(-1)?.verdict?.kind ?? ''),
    /** The answer contained no call, or an unreadable one. */
    isMalformed: ({ context }) => isMalformed(context.attempts.at(-1)),
    /** Too many failures in a row; there is a candidate to return. */
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
    /**
     * The search proposed a candidate that passed everything it was tried on, or the best of those that fail.
     */
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
    /** The attempt is complete: examined, and judged if required. */
    keepAttempt: assign(({ context }, { examination, judgement }: Outcome) => ({
      attempts: [...context.attempts, ...attemptOf(context, examination ?? context.examination, judgement)],
      progress: context.progress && { ...context.progress, prescreenSeconds: 0 },
      proposal: null,
      examination: null,
    })),
    /** The model's explanation of why the last attempt is wrong. */
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

/** The last candidate can be run, or too many before it could not: the bug is outside of the edited code. */
function isHandedIn({ attempts }: AgentContext): boolean {
  const runnable = !unrunnableKinds.includes(attempts.at(-1)?.verdict?.kind ?? '');
  return runnable || attempts.length >= MAX_UNRUNNABLE;
}

/** Limit on consecutive candidates of a search that cannot be run. */
const MAX_UNRUNNABLE = 20;

function isMalformed(attempt: Attempt | undefined): boolean {
  return attempt?.verdict?.kind === 'no-code';
}

function isLost({ attempts }: AgentContext): boolean {
  return attempts.length >= MAX_MALFORMED && attempts.slice(-MAX_MALFORMED).every(isMalformed);
}

/** Limit on consecutive answers without a readable call. */
const MAX_MALFORMED = 3;

/** No test may be run between attempts, or there is none to run. */
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
  const seconds = {
    proposal: proposal.seconds,
    execution: prescreening + executing,
    ...(prescreening > 0 && { prescreen: prescreening }),
  };
  return [{ ...asked, candidate, verdict, ...run, repeated, unchanged, seconds }];
}
