import { assign, fromPromise, setup } from 'xstate';
import type { Node, Score } from '../lib/core/attempt.ts';
import type { Feedback } from '../lib/core/choices.ts';
import type { Task } from '../lib/core/task.ts';
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
  type SearchTime,
  type Suite,
  type UntimedAttempt,
} from './actors.ts';
import {
  bestSample,
  choosable,
  comparable,
  emptyPool,
  type Failures,
  failuresIn,
  noTokens,
  type Pool,
  poolOf,
  remaining,
  selectionOf,
  untried,
  withChoice,
  withClosest,
  withComparison,
  withPairs,
  withRanking,
  withSample,
  withTrials,
} from './pool.ts';
import { type TemperatureOptions, temperatureAt } from './temperature.ts';
import { type Failure, failureOf, finalCandidate } from './verdicts.ts';

/** How candidates are found and chosen. */
export interface SearchSettings {
  /**
   * What the model is asked for with each prompt: one answer, which is taken; samples, until one passes; or one
   * answer or its likeliest answers, which enumerated edits join. With `nothing`, only these are tried.
   */
  readonly asks: 'answer' | 'samples' | 'answer and edits' | 'likeliest' | 'nothing';
  /** Maximum number of samples of a prompt, or the number of likeliest answers. */
  readonly answers: number;
  /** Maximum number of candidates besides samples. */
  readonly budget: number;
  /** Whether the model ranks candidates. */
  readonly ranks: boolean;
  /** What candidates are run on before one is proposed; null for nothing. */
  readonly suite: Suite | null;
  /** Whether all are run before the model ranks those that pass; otherwise up to the first that passes. */
  readonly screensAll: boolean;
  /** Whether they are also run before the model is asked, which is slow to answer. */
  readonly screensBeforeAsking?: boolean | undefined;
  /** Number of candidates to run of those that the model ranks first; all unless given. */
  readonly tries?: number | undefined;
  /** Whether pairs of edits are tried; true unless given. */
  readonly pairs?: boolean | undefined;
  /** Processor time limit, in seconds. */
  readonly seconds: number;
}

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
  readonly search: SearchSettings;
}

export interface AgentContext extends AgentInput {
  /** 0 during the draft; never above `maxIterations`. */
  readonly iteration: number;
  /** The attempts that were examined and, if allowed, judged. */
  readonly attempts: readonly UntimedAttempt[];
  /** What the model was asked last. */
  readonly proposal: Proposal | null;
  readonly pool: Pool;
  readonly failures: Failures;
  readonly time: SearchTime;
  /** Parts of the current attempt. */
  readonly answer: Answer | null;
  readonly examination: Examination | null;
  /** The hidden tests' verdict on the final candidate, if they judged no attempt. */
  readonly score: Score | null;
  /** The reason for the state `error`. */
  readonly cause: Cause | null;
}

/** The answer that becomes an attempt. */
export type Answer = Pick<
  UntimedAttempt,
  'iteration' | 'node' | 'temperature' | 'prompt' | 'completion' | 'tokens' | 'selection'
>;

export function initialContext(input: AgentInput): AgentContext {
  return {
    ...input,
    iteration: 0,
    attempts: [],
    proposal: null,
    pool: emptyPool,
    failures: {},
    time: { limit: input.search.seconds, spent: 0, overruns: 0, skipsFirst: false },
    answer: null,
    examination: null,
    score: null,
    cause: null,
  };
}

function missing<Name extends keyof AgentActors>() {
  type Compute = AgentActors[Name];
  return fromPromise<Awaited<ReturnType<Compute>>, Parameters<Compute>[0]>(notProvided);
}

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
    asksNothing: ({ context }) => context.search.asks === 'nothing',
    asksForOneAnswer: ({ context }) => context.search.asks === 'answer',
    asksForSamples: ({ context }) => context.search.asks === 'samples',
    /** All candidates are run on what is known, and the model ranks those that pass. */
    screensAll: ({ context }) => screensAll(context),
    /** The model has not been asked, although it was busy long enough for that. */
    mayAskModel: ({ context }) =>
      context.search.asks !== 'nothing' && context.proposal === null && !isTimeUp(context),
    mayRank: ({ context }) => mayRank(context),
    /** A program that failed passes all that is known, as the candidates do. */
    mayCompare: ({ context }) => !isTimeUp(context) && comparedNow(context).length > 0,
    /** A candidate is left that passes, as far as is known, or one of the closest. */
    canChoose: ({ context: { pool } }) => choosable(pool).length > 0,
    isChosen: (_, choice: Choice) => choice.chosen !== null,
    hasUntried: ({ context: { pool } }) =>
      pool.closest === null && !pool.isStopped && untried(pool).length > 0,
    mayCombine: ({ context }) => mayCombine(context),
    wantsAnotherSample: ({ context: { search, pool } }) =>
      search.asks === 'samples' && pool.candidates.length < search.answers,
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
    /** The candidate passed all that it may be run on, or no other passes more. */
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
      answer: ({ context }) => chosenAnswer(context, context.pool, bestSample(context.pool)),
    }),
    keepCandidates: assign(({ context }, found: Enumeration) => ({
      pool: poolOf(found, context.failures, context.search.suite === null),
      time: found.time,
    })),
    keepTrials: assign(({ context }, screening: Screening) => {
      const pool = withTrials(context.pool, screenedNow(context), screening);
      const failures = { ...context.failures, ...failuresIn(pool, context.search.suite === 'tests') };
      return { pool, failures, time: screening.time };
    }),
    keepRanking: assign(({ context }, ranking: Ranking) => ({
      pool: withRanking(context.pool, ranking, context.search.tries),
      time: ranking.time,
    })),
    keepComparison: assign(({ context }, comparison: Comparison) => ({
      pool: withComparison(context.pool, comparedNow(context), comparison),
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
    takeChosen: assign(({ context }, { chosen }: Choice) => {
      const from = choosable(context.pool);
      const at = from[chosen ?? 0] ?? 0;
      const pool = withChoice(context.pool, from, chosen);
      return {
        answer: chosenAnswer(context, pool, at),
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

/** No test may be run between attempts, or there is none to run. */
function seesNothing({ feedback, task }: AgentContext): boolean {
  return feedback === 'none' || (feedback === 'examples' && task.exampleTests.trim() === '');
}

export function isTimeUp({ time }: Pick<AgentContext, 'time'>): boolean {
  return time.spent >= time.limit;
}

function screensAll({ search, pool, proposal }: AgentContext): boolean {
  const isWanted = search.screensAll || (search.screensBeforeAsking === true && proposal === null);
  return isWanted && !pool.isUnchecked && !pool.isScreened;
}

/** The candidates to be run now. */
export function screenedNow(context: AgentContext): {
  readonly asked: readonly number[];
  readonly isAll: boolean;
} {
  const { pool } = context;
  const isAll = screensAll(context);
  return { asked: isAll ? pool.order.filter(at => pool.trials[at] === null) : untried(pool), isAll };
}

/** The candidates to be compared now with programs that failed. */
export function comparedNow({ pool, attempts, search }: AgentContext): readonly number[] {
  const failed = attempts.map(({ completion }) => completion);
  return search.suite === 'known' ? comparable(pool, failed) : [];
}

/** Which prompt follows on which failure. */
const nodesAfter = {
  malformed: 'syntax',
  repeated: 'repeat',
  unrunnable: 'syntax',
  failed: 'reflect',
} as const satisfies Record<Failure, Node>;

/** The prompt of a node without an answer. */
export function unasked(node: Node): Proposal {
  return { node, prompt: [], answers: [], isAnswered: false, temperature: null, tokens: noTokens };
}

function mayRank(context: AgentContext): boolean {
  const { search, pool } = context;
  // Pairs are in the order of their parts.
  const isWanted = search.ranks && !pool.isRanked && (!pool.isCombined || pool.closest !== null);
  return isWanted && !isTimeUp(context) && remaining(pool).length > 0;
}

/** Pairs that failed before still fail when more is known. */
function mayCombine(context: AgentContext): boolean {
  const { search, pool, attempts } = context;
  const failed = attempts.some(({ selection }) => selection?.agrees === false && !selection.time_up);
  const { asks, pairs = true } = search;
  const isPossible = pairs && asks !== 'samples' && !pool.isUnchecked && !pool.isCombined;
  return isPossible && !failed && !isTimeUp(context) && pool.candidates.length < search.budget;
}

function answerOf(
  { iteration }: AgentContext,
  { node, prompt, temperature, tokens }: Proposal,
  completion: string,
): Answer {
  return { iteration, node, temperature, prompt, completion, tokens };
}

/** Tokens of a prompt that was asked before are not counted again. */
function chosenAnswer(context: AgentContext, pool: Pool, at: number): Answer {
  const { proposal, attempts, feedback } = context;
  const completion = pool.candidates[at]?.text ?? '';
  const selection = selectionOf(pool, at, isTimeUp(context));
  if (!proposal) {
    const position = pool.order.indexOf(at);
    const iteration = feedback === 'tests' ? position : 0;
    const { prompt, tokens } = pool;
    return { iteration, node: 'search', temperature: null, prompt, completion, tokens };
  }
  const { node, temperature } = proposal;
  const recorded = selection && { selection };
  const kind = pool.candidates[at]?.origin.kind;
  if (kind === 'sample' && context.search.asks === 'samples') {
    const sampled = { ...proposal, temperature: sampleTemperature(context, at) };
    return { ...answerOf(context, sampled, completion), ...recorded };
  }
  const isAsked = attempts.some(({ prompt }) => sameTurns(prompt, proposal.prompt));
  const tokens = {
    prompt: proposal.tokens.prompt + pool.tokens.prompt,
    completion: proposal.tokens.completion + pool.tokens.completion,
  };
  return {
    iteration: context.iteration,
    node,
    temperature: kind === 'edit' || kind === 'pair' ? null : temperature,
    prompt: proposal.isAnswered || pool.prompt.length > 0 ? proposal.prompt : [],
    completion,
    tokens: isAsked ? noTokens : tokens,
    ...recorded,
  };
}

/** Of the first sample, and of the others. */
export function sampleTemperature({ iteration, temperature }: AgentContext, sample: number): number {
  return temperatureAt(sample === 0 ? iteration : Math.max(1, iteration), temperature);
}

function sumOfTokens(tokens: Proposal['tokens'], before: Proposal['tokens'] = noTokens): Proposal['tokens'] {
  const isDrafted = tokens.drafted !== undefined || before.drafted !== undefined;
  return {
    prompt: before.prompt + tokens.prompt,
    completion: before.completion + tokens.completion,
    ...(isDrafted && {
      drafted: (before.drafted ?? 0) + (tokens.drafted ?? 0),
      accepted: (before.accepted ?? 0) + (tokens.accepted ?? 0),
    }),
  };
}

function sameTurns(one: Proposal['prompt'], other: Proposal['prompt']): boolean {
  const turns = (messages: Proposal['prompt']) =>
    JSON.stringify(messages.map(({ role, content }) => [role, content]));
  return turns(one) === turns(other);
}

function attemptOf(
  { answer }: AgentContext,
  examination: Examination | null,
  judgement: Judgement | undefined,
): UntimedAttempt[] {
  if (!answer || !examination) return [];
  const { candidate, repeated, unchanged } = examination;
  const { verdict = examination.verdict, seconds: _, ...run } = judgement ?? {};
  return [{ ...answer, candidate, verdict, ...run, repeated, unchanged }];
}
