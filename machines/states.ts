import type { Node } from '../lib/core/attempt.ts';
import { causeOf } from './actors.ts';
import { candidateOf, completionOf, finalCandidateOf, requestOf } from './requests.ts';
import { agentSetup } from './setup.ts';

/**
 * The states that several agents share; `reflect.ts` has the same states spelled out. A machine passes what
 * differs: the transitions from each result of `examine`, and from an actor's failure to `error`.
 */

/** The transition for an actor's failure. */
export const onActorError = {
  target: 'error',
  actions: {
    type: 'keepCause',
    params: ({ event }: { readonly event: { readonly error: unknown } }) => causeOf(event.error),
  },
} as const;

/** Asks the model for a candidate, with the prompt of the node that the state is named after. */
export function asking(node: Node, description: string) {
  return agentSetup.createStateConfig({
    description,
    entry: { type: 'visit', params: { state: node } },
    invoke: {
      id: 'generate',
      src: 'generate',
      input: ({ context }) => requestOf(context, node),
      onDone: { target: 'examine', actions: { type: 'keepProposal', params: ({ event }) => event.output } },
      onError: onActorError,
    },
  });
}

/** Inspects an answer without running it: runnable candidates go to `execute`, everything else to `next`. */
export function examining(next: string, description: string) {
  return agentSetup.createStateConfig({
    description,
    entry: { type: 'visit', params: { state: 'examine' } },
    invoke: {
      id: 'examine',
      src: 'examine',
      input: ({ context }) => completionOf(context),
      onDone: [
        {
          guard: { type: 'isFeedbackWithheld', params: ({ event }) => event.output },
          target: next,
          actions: { type: 'keepAttempt', params: ({ event }) => ({ examination: event.output }) },
        },
        {
          guard: { type: 'isRunnable', params: ({ event }) => event.output },
          target: 'execute',
          actions: { type: 'keepExamination', params: ({ event }) => event.output },
        },
        {
          target: next,
          actions: { type: 'keepAttempt', params: ({ event }) => ({ examination: event.output }) },
        },
      ],
      onError: onActorError,
    },
  });
}

/** Runs a candidate; one that does not pass leads to `next`. */
export function executing(next: string, description = 'Run the tests that the agent may learn from.') {
  return agentSetup.createStateConfig({
    description,
    entry: { type: 'visit', params: { state: 'execute' } },
    invoke: {
      id: 'execute',
      src: 'execute',
      input: ({ context }) => candidateOf(context),
      onDone: [
        {
          guard: { type: 'isSolved', params: ({ event }) => event.output },
          target: 'solved',
          actions: { type: 'keepAttempt', params: ({ event }) => ({ judgement: event.output }) },
        },
        {
          guard: { type: 'isPassed', params: ({ event }) => event.output },
          target: 'score',
          actions: { type: 'keepAttempt', params: ({ event }) => ({ judgement: event.output }) },
        },
        {
          target: next,
          actions: { type: 'keepAttempt', params: ({ event }) => ({ judgement: event.output }) },
        },
      ],
      onError: onActorError,
    },
  });
}

/** Runs the hidden tests if they judged no attempt. */
export const score = agentSetup.createStateConfig({
  description: 'Run the hidden tests once, on the final candidate.',
  entry: { type: 'visit', params: { state: 'score' } },
  invoke: {
    id: 'score',
    src: 'execute',
    input: ({ context }) => finalCandidateOf(context),
    onDone: [
      {
        guard: { type: 'isPassed', params: ({ event }) => event.output },
        target: 'solved',
        actions: { type: 'keepScore', params: ({ event }) => event.output },
      },
      { target: 'unsolved', actions: { type: 'keepScore', params: ({ event }) => event.output } },
    ],
    onError: onActorError,
  },
});

export const solved = ending('solved', 'The tests pass.');
export const errorState = ending(
  'error',
  'The model or the sandbox failed, which says nothing about the task.',
);

export function ending(state: string, description: string) {
  return agentSetup.createStateConfig({
    description,
    entry: { type: 'visit', params: { state } },
    type: 'final',
  });
}
