import { assign, fromPromise, setup } from 'xstate';
import type { Node } from '../lib/core/attempt.ts';
import {
  type AgentActors,
  type Cause,
  type Choice,
  type Combination,
  type Comparison,
  type Enumeration,
  type Examination,
  type Judgement,
  notProvided,
  type Proposal,
  type Ranking,
  type Screening,
} from './actors.ts';
import type { AgentContext, AgentInput } from './context.ts';
import {
  answerOf,
  attemptOf,
  candidatesToCompare,
  candidatesToRun,
  chosenAnswer,
  isTimeUp,
  mayCombine,
  mayRank,
  nodesAfter,
  screensAll,
  seesNothing,
  sumOfTokens,
  unasked,
} from './context.ts';
import {
  bestSample,
  choosable,
  emptyPool,
  failuresIn,
  noTokens,
  poolOf,
  untried,
  withChoice,
  withClosest,
  withComparison,
  withPairs,
  withRanking,
  withSample,
  withTrials,
} from './pool.ts';
import { failureOf, finalCandidate } from './verdicts.ts';

function missing<Name extends keyof AgentActors>() {
  type Compute = AgentActors[Name];
  return fromPromise<Awaited<ReturnType<Compute>>, Parameters<Compute>[0]>(notProvided);
}

/** What all agents share: guards and actions with the same meaning in each. Their actors are provided from outside. */
export const agentSetup = setup({
  types: { input: {} as AgentInput, context: {} as AgentContext, output: {} as AgentContext },
  actors: {
    propose: missing<'propose'>(),
    enumerate: missing<'enumerate'>(),
    screen: missing<'screen'>(),
    rank: missing<'rank'>(),
    combine: missing<'combine'>(),
    compare: missing<'compare'>(),
    choose: missing<'choose'>(),
    examine: missing<'examine'>(),
    execute: missing<'execute'>(),
  },
  guards: {
    asksNothing: ({ context }) => context.search.answers.kind === 'none',
    asksForOneAnswer: ({ context: { search } }) => search.answers.kind === 'one' && search.edits === null,
    asksForSamples: ({ context }) => context.search.answers.kind === 'samples',
    /** All candidates are run on what is known, and the model ranks those that pass. */
    screensAll: ({ context }) => screensAll(context),
    /** The model has not been asked, and there is time to. */
    mayAskModel: ({ context }) =>
      context.search.answers.kind !== 'none' && context.proposal === null && !isTimeUp(context),
    mayRank: ({ context }) => mayRank(context),
    /** A program that failed passes all that is known, as the candidates do. */
    mayCompare: ({ context }) => !isTimeUp(context) && candidatesToCompare(context).length > 0,
    /** A candidate is left that passes, as far as is known, or one of the closest. */
    canChoose: ({ context: { pool } }) => choosable(pool).length > 0,
    isChosen: (_, choice: Choice) => choice.chosen !== null,
    hasUntried: ({ context: { pool } }) =>
      pool.closest === null && !pool.done.includes('stopped') && untried(pool).length > 0,
    mayCombine: ({ context }) => mayCombine(context),
    wantsAnotherSample: ({
      context: {
        search: { answers },
        pool,
      },
    }) => answers.kind === 'samples' && pool.candidates.length < answers.most,
    /** Not even a candidate that fails some checks can be proposed. */
    hasNothingToPropose: ({ context }) => context.pool.closest !== null,
    /** Only running the candidate could tell more, and the agent must not see the result. */
    isFeedbackWithheld: ({ context }, examination: Examination) =>
      examination.verdict === null && seesNothing(context),
    isRunnable: (_, examination: Examination) => examination.verdict === null,
    /** The hidden tests passed. */
    isSolved: ({ context }, judgement: Judgement) =>
      judgement.verdict.kind === 'passed' && context.feedback === 'tests',
    isPassed: (_, judgement: Judgement) => judgement.verdict.kind === 'passed',
    isOutOfIterations: ({ context }) => context.iteration >= context.maxIterations,
    /** The hidden tests have judged the attempts, or there is nothing to judge. */
    isJudged: ({ context: { feedback, attempts } }) =>
      feedback === 'tests' || finalCandidate(attempts) === null,
    /** The model repeated its own answer although nothing says that it is wrong: it is final. */
    repeatsWithoutFeedback: ({ context }) => {
      const last = context.attempts.at(-1);
      return seesNothing(context) && last?.repeated === true && !last.unchanged;
    },
    isMalformed: ({ context }) => failureOf(context.attempts.at(-1)) === 'malformed',
    isRepeated: ({ context }) => failureOf(context.attempts.at(-1)) === 'repeated',
    isUnrunnable: ({ context }) => /^(?:malformed|unrunnable)$/.test(failureOf(context.attempts.at(-1))),
    /** Too many answers without a readable call in a row. */
    makesNoCalls: ({ context: { attempts } }) =>
      attempts.length >= MAX_MALFORMED &&
      attempts.slice(-MAX_MALFORMED).every(attempt => failureOf(attempt) === 'malformed'),
    /** Nothing may be run, or no other candidate passes more. */
    isLastCandidate: ({ context }) => seesNothing(context) || context.pool.closest !== null,
  },
  actions: {
    countIteration: assign({ iteration: ({ context }) => context.iteration + 1 }),
    /** The model is not asked; the prompt of this node is only the occasion. */
    skipPrompt: assign({
      proposal: ({ context }, { node }: { readonly node?: Node }) =>
        unasked(node ?? nodesAfter[failureOf(context.attempts.at(-1))]),
    }),
    keepProposal: assign({ proposal: (_, proposal: Proposal) => proposal }),
    /** The only answer is the next attempt. */
    takeAnswer: assign(({ context }, proposal: Proposal) => ({
      proposal,
      answer: answerOf(context, proposal, proposal.answers[0] ?? ''),
    })),
    startSamples: assign((_, proposal: Proposal) => ({
      proposal,
      pool: withSample(emptyPool, proposal.answers[0] ?? ''),
    })),
    addSample: assign(({ context }, proposal: Proposal) => ({
      proposal: { ...proposal, tokens: sumOfTokens(proposal.tokens, context.proposal?.tokens) },
      pool: withSample(context.pool, proposal.answers[0] ?? ''),
    })),
    takeBestSample: assign({
      answer: ({ context }) => {
        const { pool } = context;
        const best = bestSample(pool);
        return chosenAnswer(context, pool, best, pool.candidates[best]?.answer ?? '');
      },
    }),
    keepCandidates: assign(({ context }, enumeration: Enumeration) => ({
      pool: poolOf(enumeration, context.failures, context.search.suite === null),
      time: enumeration.time,
    })),
    keepTrials: assign(({ context }, screening: Screening) => {
      const pool = withTrials(context.pool, candidatesToRun(context), screening);
      const failures = { ...context.failures, ...failuresIn(pool, context.search.suite === 'tests') };
      return { pool, failures, time: screening.time };
    }),
    keepRanking: assign(({ context }, ranking: Ranking) => ({
      pool: withRanking(context.pool, ranking),
      time: ranking.time,
    })),
    keepComparison: assign(({ context }, comparison: Comparison) => ({
      pool: withComparison(context.pool, candidatesToCompare(context), comparison),
      time: comparison.time,
    })),
    keepPairs: assign(({ context }, combination: Combination) => ({
      pool: withPairs(context.pool, combination),
      time: combination.time,
    })),
    keepClosest: assign({
      pool: ({ context }, { enough }: { readonly enough: number }) => withClosest(context.pool, enough),
    }),
    keepChoice: assign({
      pool: ({ context: { pool } }, { chosen }: Choice) => withChoice(pool, choosable(pool), chosen),
    }),
    /** The chosen candidate is the next attempt. */
    takeChosen: assign(({ context }, { chosen, answer }: Choice) => {
      const from = choosable(context.pool);
      const index = from[chosen ?? 0] ?? 0;
      const pool = withChoice(context.pool, from, chosen);
      return {
        answer: chosenAnswer(context, pool, index, answer),
        pool: { ...pool, tokens: noTokens },
      };
    }),
    keepExamination: assign({ examination: (_, examination: Examination) => examination }),
    keepCause: assign({ cause: (_, cause: Cause) => cause }),
    /** The attempt is complete: examined, and judged if required. */
    keepAttempt: assign(({ context }, { examination, judgement }: Outcome) => ({
      attempts: [...context.attempts, ...attemptOf(context, examination ?? context.examination, judgement)],
      answer: null,
      examination: null,
    })),
    /** The model's explanation of why the last attempt is wrong. */
    keepDiagnosis: assign({
      attempts: ({ context: { attempts } }, { prompt, answers, tokens, temperature }: Proposal) => {
        const diagnosis = { temperature: temperature ?? 0, prompt, completion: answers[0] ?? '', tokens };
        return attempts.map((attempt, index) =>
          index === attempts.length - 1 ? { ...attempt, diagnosis } : attempt,
        );
      },
    }),
    keepScore: assign({
      score: ({ context }, judgement: Judgement) => {
        const candidate = finalCandidate(context.attempts);
        return candidate === null ? null : { candidate, ...judgement };
      },
    }),
  },
});

export interface Outcome {
  readonly examination?: Examination;
  readonly judgement?: Judgement;
}

/** Limit on consecutive answers without a readable call. */
const MAX_MALFORMED = 3;
