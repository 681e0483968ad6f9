import { assign, fromPromise, setup } from 'xstate';
import type { Attempt, Diagnosis, Score } from '../lib/attempt.ts';
import type { Feedback } from '../lib/prompt/feedback.ts';
import type { Task } from '../lib/task.ts';
import {
  type Cause,
  type Examination,
  type ExamineInput,
  type ExecuteInput,
  type GenerateInput,
  type Judgement,
  notProvided,
  type Proposal,
} from './actors.ts';
import { finalCandidate } from './final-candidate.ts';
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
  /** The states visited. */
  readonly path: readonly string[];
  /** Why it broke. */
  readonly cause: Cause | null;
}

export function startOf(input: AgentInput): AgentContext {
  return {
    ...input,
    iteration: 0,
    attempts: [],
    proposal: null,
    examination: null,
    score: null,
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
  },
  guards: {
    /** Only running it can tell more, and nothing that may be told would be learnt from that. */
    isUntold: ({ context }, examination: Examination) => examination.verdict === null && isBlind(context),
    isRunnable: (_, examination: Examination) => examination.verdict === null,
    /** By the tests that decide. */
    isSolved: ({ context }, judgement: Judgement) =>
      judgement.verdict.kind === 'passed' && context.feedback === 'tests',
    isPassed: (_, judgement: Judgement) => judgement.verdict.kind === 'passed',
    isBudgetSpent: ({ context }) => context.iteration >= context.budget,
    /** The budget is spent, and the tests that decide have nothing more to say. */
    isExhausted: ({ context }) => context.iteration >= context.budget && isScored(context),
    isScored: ({ context }) => isScored(context),
    /** The model gave an answer of its own again, with nothing that says it is wrong: it stands by it. */
    isSettled: ({ context }) => {
      const last = context.attempts.at(-1);
      return isBlind(context) && last?.repeated === true && !last.unchanged;
    },
    isRepeated: ({ context }) => context.attempts.at(-1)?.repeated === true,
    isUnrunnable: ({ context }) =>
      ['no-code', 'misfit', 'syntax', 'signature'].includes(context.attempts.at(-1)?.verdict?.kind ?? ''),
    /** The answer held no call, or one that cannot be read. */
    isMalformed: ({ context }) => isMalformed(context.attempts.at(-1)),
    /** It went wrong so often in a row that more of it is no use; there is something to hand in. */
    isGivenUp: ({ context }) => isLost(context) && !isScored(context),
    isLost: ({ context }) => isLost(context),
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
      proposal: null,
      examination: null,
    })),
    /** Of the last attempt: why it is wrong, in the model's words. */
    keepDiagnosis: assign({
      attempts: ({ context }, { completion, ...proposal }: Proposal) => {
        const { temperature, prompt, tokens, seconds } = proposal;
        const diagnosis: Diagnosis = { temperature, prompt, completion, tokens, seconds };
        const last = context.attempts.at(-1);
        return last ? [...context.attempts.slice(0, -1), { ...last, diagnosis }] : context.attempts;
      },
    }),
    keepScore: assign({
      score: ({ context }, { verdict, seconds }: Judgement) => {
        const candidate = finalCandidate(context.attempts);
        return candidate === null ? null : { candidate, verdict, seconds };
      },
    }),
  },
});

export interface Outcome {
  readonly examination?: Examination;
  readonly judgement?: Judgement;
}

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
  { proposal }: AgentContext,
  examination: Examination | null,
  judgement: Judgement | undefined,
): Attempt[] {
  if (!proposal || !examination) return [];
  const { candidate, repeated, unchanged } = examination;
  const verdict = judgement?.verdict ?? examination.verdict;
  const seconds = { proposal: proposal.seconds, execution: judgement?.seconds ?? 0 };
  return [{ ...proposal, candidate, verdict, repeated, unchanged, seconds }];
}
