import type { Node } from '../lib/core/attempt.ts';
import { type Candidate, causeOf, type Examination, type Judgement, type ProposeInput } from './actors.ts';
import {
  type AgentContext,
  candidatesToCompare,
  candidatesToRun,
  sampleTemperature,
  temperatureAt,
} from './context.ts';
import { choosable, remaining } from './pool.ts';
import { agentSetup } from './setup.ts';
import { finalCandidate } from './verdicts.ts';

/** More than the agents that use it attempt by default, so that one of them is new. */
const CLOSE = 10;

interface Done<Result> {
  readonly event: { readonly output: Result };
}

/** What the actor of a state resolved with, for a guard or an action. */
export function output<Result>({ event }: Done<Result>): Result {
  return event.output;
}

/** The states that the agents share. A machine passes what differs: where a state leads to. */

/** The transition for an actor's failure. */
export const onActorError = {
  target: 'error',
  actions: {
    type: 'keepCause',
    params: ({ event }: { readonly event: { readonly error: unknown } }) => causeOf(event.error),
  },
} as const;

/** Decides whether the model is asked at all. */
export function starting(node: Node) {
  return agentSetup.createStateConfig({
    description: 'Is the model asked for answers?',
    always: [
      { guard: 'asksNothing', target: 'enumerate', actions: { type: 'skipPrompt', params: { node } } },
      { target: node },
    ],
  });
}

/** Asks the model, with the prompt of the node that the state is named after. */
export function asking(node: Node, description: string) {
  return agentSetup.createStateConfig({
    description,
    invoke: {
      id: 'propose',
      src: 'propose',
      input: ({ context }) => promptOf(context, node),
      onDone: [
        { guard: 'asksForOneAnswer', target: 'examine', actions: { type: 'takeAnswer', params: output } },
        { guard: 'asksForSamples', target: 'screen', actions: { type: 'startSamples', params: output } },
        { target: 'enumerate', actions: { type: 'keepProposal', params: output } },
      ],
      onError: onActorError,
    },
  });
}

/** The request for answers to the prompt of a node. */
export function promptOf(context: AgentContext, node: Node): ProposeInput {
  const { answers } = context.search;
  const beams = answers.kind === 'likeliest' && node !== 'diagnose' ? answers.most : null;
  return requestOf(context, node, 0, beams);
}

function requestOf(context: AgentContext, node: Node, sample: number, beams: number | null): ProposeInput {
  const { task, iteration, attempts } = context;
  return { task, node, iteration, attempts, sample, beams, temperature: sampleTemperature(context, sample) };
}

/** From the answers to a prompt, or without a model, to the candidate that is proposed. */
export const enumerate = agentSetup.createStateConfig({
  description:
    'Make each program that one edit of the syntax tree gives; the answers of the model come first.',
  invoke: {
    id: 'enumerate',
    src: 'enumerate',
    input: ({ context: { task, search, proposal, time } }) => ({
      task,
      limit: search.edits?.budget ?? 0,
      answers: proposal?.answers ?? null,
      time,
    }),
    onDone: { target: 'decide', actions: { type: 'keepCandidates', params: output } },
    onError: onActorError,
  },
});

/**
 * Decides what is done next to find a candidate.
 * @param none where it leads if not even one that fails some checks can be proposed
 */
export function deciding(none: string) {
  return agentSetup.createStateConfig({
    description: 'What is the next step towards a candidate?',
    always: [
      { guard: 'screensAll', target: 'screen' },
      { guard: 'mayRank', target: 'rank' },
      ...(none === 'sample' ? [{ guard: 'mayCompare', target: 'compare' } as const] : []),
      { guard: 'canChoose', target: 'choose' },
      { guard: 'hasNothingToPropose', target: none },
      { guard: 'hasUntried', target: 'screen' },
      { guard: 'mayCombine', target: 'combine' },
      ...(none === 'sample' ? samplesLeft : []),
      { target: 'closest' },
    ],
  });
}

/** Only agents that ask the model have samples. */
const samplesLeft = [
  { guard: 'wantsAnotherSample', target: 'sample' },
  { guard: 'asksForSamples', target: 'examine', actions: 'takeBestSample' },
] as const;

/** @param enough number of candidates to choose from */
export function closest(enough: number) {
  return agentSetup.createStateConfig({
    description: 'No candidate passes: keep the near misses.',
    entry: { type: 'keepClosest', params: { enough } },
    always: { target: 'decide' },
  });
}

export const screen = agentSetup.createStateConfig({
  description: 'Run candidates on what is known, many in one execution.',
  invoke: {
    id: 'screen',
    src: 'screen',
    input: ({ context }) => {
      const { task, attempts, search, time } = context;
      const { asked, isAll } = candidatesToRun(context);
      const until = isAll ? 'all' : 'first';
      return { task, attempts, candidates: candidatesIn(context, asked), suite: search.suite, until, time };
    },
    onDone: { target: 'decide', actions: { type: 'keepTrials', params: output } },
    onError: onActorError,
  },
});

export const rank = agentSetup.createStateConfig({
  description: 'Rank the candidates by their likelihood under the model.',
  invoke: {
    id: 'rank',
    src: 'rank',
    input: ({ context }) => {
      const { task, pool, proposal, time, iteration } = context;
      const candidates = candidatesIn(context, remaining(pool));
      const temperature = temperatureAt(iteration, context.temperature);
      return { task, candidates, prompt: proposal?.prompt ?? null, iteration, temperature, time };
    },
    onDone: { target: 'decide', actions: { type: 'keepRanking', params: output } },
    onError: onActorError,
  },
});

export const compare = agentSetup.createStateConfig({
  description: 'Move candidates that behave like a failed program to the end.',
  invoke: {
    id: 'compare',
    src: 'compare',
    input: ({ context }) => {
      const { task, attempts, time } = context;
      return { task, attempts, candidates: candidatesIn(context, candidatesToCompare(context)), time };
    },
    onDone: { target: 'decide', actions: { type: 'keepComparison', params: output } },
    onError: onActorError,
  },
});

export const choose = agentSetup.createStateConfig({
  description: 'Take the first that is new and can be run.',
  invoke: {
    id: 'choose',
    src: 'choose',
    input: ({ context }) => {
      const { task, attempts, pool } = context;
      const limit = pool.closest ? MAX_CLOSEST : pool.candidates.length;
      return { task, attempts, candidates: candidatesIn(context, choosable(pool)), limit };
    },
    onDone: [
      {
        guard: { type: 'isChosen', params: output },
        target: 'examine',
        actions: { type: 'takeChosen', params: output },
      },
      { target: 'decide', actions: { type: 'keepChoice', params: output } },
    ],
    onError: onActorError,
  },
});

/** If this many candidates cannot be run, the bug is outside of the edited code. */
const MAX_CLOSEST = 50;

export const combine = agentSetup.createStateConfig({
  description: 'Add pairs of edits, of those that passed the most first.',
  invoke: {
    id: 'combine',
    src: 'combine',
    input: ({ context }) => {
      const { task, search, pool, time } = context;
      // A ranking decides which of two equal ones comes first.
      const order = search.suite === 'known' ? pool.candidates.map((_, index) => index) : pool.order;
      return {
        task,
        candidates: candidatesIn(context, order),
        assertionsPassed: order.map(index => pool.trials[index]?.assertionsPassed ?? 0),
        limit: (search.edits?.budget ?? 0) - pool.candidates.length,
        time,
      };
    },
    onDone: { target: 'decide', actions: { type: 'keepPairs', params: output } },
    onError: onActorError,
  },
});

export const sample = agentSetup.createStateConfig({
  description: 'Ask the same again, for one more answer.',
  invoke: {
    id: 'propose',
    src: 'propose',
    input: ({ context }) => {
      const { search, pool, proposal } = context;
      // One answer where no edit can be proposed.
      const sample = search.answers.kind === 'samples' ? pool.candidates.length : 0;
      return requestOf(context, proposal?.node ?? 'draft', sample, null);
    },
    onDone: [
      { guard: 'asksForSamples', target: 'screen', actions: { type: 'addSample', params: output } },
      { target: 'examine', actions: { type: 'takeAnswer', params: output } },
    ],
    onError: onActorError,
  },
});

/** The states between a prompt and the candidate that is examined. */
export const finding = {
  enumerate,
  decide: deciding('sample'),
  screen,
  rank,
  compare,
  choose,
  combine,
  closest: closest(CLOSE),
  sample,
};

const keepExamined = {
  type: 'keepAttempt',
  params: (done: Done<Examination>) => ({ examination: output(done) }),
} as const;
const keepJudged = {
  type: 'keepAttempt',
  params: (done: Done<Judgement>) => ({ judgement: output(done) }),
} as const;

/** Inspects an answer without running it: runnable candidates go to `execute`, everything else to `next`. */
export function examining(
  next: string,
  description = 'Is there a function, does it parse, does its signature hold, is it new?',
) {
  return agentSetup.createStateConfig({
    description,
    invoke: {
      id: 'examine',
      src: 'examine',
      input: ({ context: { task, answer, attempts } }) => ({
        task,
        completion: answer?.completion ?? '',
        code: answer?.code ?? null,
        attempts,
      }),
      onDone: [
        { guard: { type: 'isFeedbackWithheld', params: output }, target: next, actions: keepExamined },
        {
          guard: { type: 'isRunnable', params: output },
          target: 'execute',
          actions: { type: 'keepExamination', params: output },
        },
        { target: next, actions: keepExamined },
      ],
      onError: onActorError,
    },
  });
}

/** Runs a candidate; one that does not pass leads to `next`. */
export function executing(next: string) {
  return agentSetup.createStateConfig({
    description: 'Run the tests that the agent may learn from.',
    invoke: {
      id: 'execute',
      src: 'execute',
      input: ({ context: { task, examination, feedback } }) => ({
        task,
        candidate: examination?.candidate ?? '',
        suite: feedback === 'tests' ? 'tests' : 'examples',
      }),
      onDone: [
        { guard: { type: 'isSolved', params: output }, target: 'solved', actions: keepJudged },
        { guard: { type: 'isPassed', params: output }, target: 'score', actions: keepJudged },
        { target: next, actions: keepJudged },
      ],
      onError: onActorError,
    },
  });
}

const finish = agentSetup.createStateConfig({
  description: 'No attempt is left. Have the hidden tests judged one?',
  always: [{ guard: 'isJudged', target: 'unsolved' }, { target: 'score' }],
});

/** Runs the hidden tests if they judged no attempt. */
const score = agentSetup.createStateConfig({
  description: 'Run the hidden tests once, on the final candidate.',
  invoke: {
    id: 'score',
    src: 'execute',
    input: ({ context: { task, attempts } }) => ({
      task,
      candidate: finalCandidate(attempts) ?? '',
      suite: 'tests',
    }),
    onDone: [
      {
        guard: { type: 'isPassed', params: output },
        target: 'solved',
        actions: { type: 'keepScore', params: output },
      },
      { target: 'unsolved', actions: { type: 'keepScore', params: output } },
    ],
    onError: onActorError,
  },
});

/** The states at which every agent ends. */
export const ends = {
  finish,
  score,
  solved: ending('The tests pass.'),
  unsolved: ending('The tests do not pass.'),
  error: ending('The model or the sandbox failed, which says nothing about the task.'),
};

function ending(description: string) {
  return agentSetup.createStateConfig({ description, type: 'final' });
}

function candidatesIn({ pool }: AgentContext, indices: readonly number[]): readonly Candidate[] {
  return indices.flatMap(index => pool.candidates[index] ?? []);
}
