import type { Node } from '../lib/core/attempt.ts';
import { causeOf, type Examination, type Judgement } from './actors.ts';
import {
  candidateOf,
  chooseOf,
  combineOf,
  compareOf,
  completionOf,
  enumerateOf,
  finalCandidateOf,
  promptOf,
  rankOf,
  sampleOf,
  screenOf,
} from './requests.ts';
import { agentSetup } from './setup.ts';

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

/** From the answers to a prompt, or without a model, to the candidate that is proposed. */
export const enumerate = agentSetup.createStateConfig({
  description:
    'Make each program that one edit of the syntax tree gives; the answers of the model come first.',
  invoke: {
    id: 'enumerate',
    src: 'enumerate',
    input: ({ context }) => enumerateOf(context),
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
    description: 'No candidate passes: take those that pass the most.',
    entry: { type: 'keepClosest', params: { enough } },
    always: { target: 'decide' },
  });
}

export const screen = agentSetup.createStateConfig({
  description: 'Run candidates on what is known, many in one execution.',
  invoke: {
    id: 'screen',
    src: 'screen',
    input: ({ context }) => screenOf(context),
    onDone: { target: 'decide', actions: { type: 'keepTrials', params: output } },
    onError: onActorError,
  },
});

export const rank = agentSetup.createStateConfig({
  description: 'Ask the model how likely it would write each.',
  invoke: {
    id: 'rank',
    src: 'rank',
    input: ({ context }) => rankOf(context),
    onDone: { target: 'decide', actions: { type: 'keepRanking', params: output } },
    onError: onActorError,
  },
});

export const compare = agentSetup.createStateConfig({
  description: 'Put those last that do the same as a program that failed, on generated inputs.',
  invoke: {
    id: 'compare',
    src: 'compare',
    input: ({ context }) => compareOf(context),
    onDone: { target: 'decide', actions: { type: 'keepComparison', params: output } },
    onError: onActorError,
  },
});

export const choose = agentSetup.createStateConfig({
  description: 'Take the first that is new and can be run.',
  invoke: {
    id: 'choose',
    src: 'choose',
    input: ({ context }) => chooseOf(context),
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

export const combine = agentSetup.createStateConfig({
  description: 'Add pairs of edits, of those that passed the most first.',
  invoke: {
    id: 'combine',
    src: 'combine',
    input: ({ context }) => combineOf(context),
    onDone: { target: 'decide', actions: { type: 'keepPairs', params: output } },
    onError: onActorError,
  },
});

export const sample = agentSetup.createStateConfig({
  description: 'Ask the same again, for one more answer.',
  invoke: {
    id: 'propose',
    src: 'propose',
    input: ({ context }) => sampleOf(context),
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
      input: ({ context }) => completionOf(context),
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
      input: ({ context }) => candidateOf(context),
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
  description: 'There is no further attempt: have the hidden tests judged one?',
  always: [{ guard: 'isJudged', target: 'unsolved' }, { target: 'score' }],
});

/** Runs the hidden tests if they judged no attempt. */
const score = agentSetup.createStateConfig({
  description: 'Run the hidden tests once, on the final candidate.',
  invoke: {
    id: 'score',
    src: 'execute',
    input: ({ context }) => finalCandidateOf(context),
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
