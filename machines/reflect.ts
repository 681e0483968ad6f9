import { causeOf } from './actors.ts';
import { candidateOf, completionOf, finalCandidateOf, requestOf } from './requests.ts';
import { agentSetup, initialContext } from './setup.ts';

/**
 * The agent `reflect`: draft, judge, and repair based on the verdict until the tests pass or no iterations
 * are left. Contains only the wiring: the actors that generate, examine and execute are supplied with
 * `.provide()`. Its states are spelled out, while the other agents take them from `states.ts`, because
 * Stately's editor reads only this object.
 */
export const reflectMachine = agentSetup.createMachine({
  id: 'reflect',
  context: ({ input }) => initialContext(input),
  initial: 'draft',
  states: {
    draft: {
      description: 'Ask for the fixed function.',
      entry: { type: 'visit', params: { state: 'draft' } },
      invoke: {
        id: 'generate',
        src: 'generate',
        input: ({ context }) => requestOf(context, 'draft'),
        onDone: { target: 'examine', actions: { type: 'keepProposal', params: ({ event }) => event.output } },
        onError: {
          target: 'error',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    examine: {
      description: 'Is there a function, does it parse, does its signature hold, is it new?',
      entry: { type: 'visit', params: { state: 'examine' } },
      invoke: {
        id: 'examine',
        src: 'examine',
        input: ({ context }) => completionOf(context),
        onDone: [
          {
            guard: { type: 'isFeedbackWithheld', params: ({ event }) => event.output },
            target: 'iterate',
            actions: { type: 'keepAttempt', params: ({ event }) => ({ examination: event.output }) },
          },
          {
            guard: { type: 'isRunnable', params: ({ event }) => event.output },
            target: 'execute',
            actions: { type: 'keepExamination', params: ({ event }) => event.output },
          },
          {
            target: 'iterate',
            actions: { type: 'keepAttempt', params: ({ event }) => ({ examination: event.output }) },
          },
        ],
        onError: {
          target: 'error',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    execute: {
      description: 'Run the tests that the agent may learn from.',
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
            target: 'iterate',
            actions: { type: 'keepAttempt', params: ({ event }) => ({ judgement: event.output }) },
          },
        ],
        onError: {
          target: 'error',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    iterate: {
      description: 'If an iteration is left: why did the attempt fail?',
      entry: { type: 'visit', params: { state: 'iterate' } },
      always: [
        { guard: 'isUnsolved', target: 'unsolved' },
        { guard: 'isOutOfIterations', target: 'score' },
        { guard: 'isSettled', target: 'score' },
        { guard: 'isRepeated', target: 'repeat', actions: 'countIteration' },
        { guard: 'isUnrunnable', target: 'syntax', actions: 'countIteration' },
        { target: 'reflect', actions: 'countIteration' },
      ],
    },
    reflect: {
      description: 'Tell which test failed and how.',
      entry: { type: 'visit', params: { state: 'reflect' } },
      invoke: {
        id: 'generate',
        src: 'generate',
        input: ({ context }) => requestOf(context, 'reflect'),
        onDone: { target: 'examine', actions: { type: 'keepProposal', params: ({ event }) => event.output } },
        onError: {
          target: 'error',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    repeat: {
      description: 'Tell that this was tried before.',
      entry: { type: 'visit', params: { state: 'repeat' } },
      invoke: {
        id: 'generate',
        src: 'generate',
        input: ({ context }) => requestOf(context, 'repeat'),
        onDone: { target: 'examine', actions: { type: 'keepProposal', params: ({ event }) => event.output } },
        onError: {
          target: 'error',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    syntax: {
      description: 'Tell why the answer could not be run.',
      entry: { type: 'visit', params: { state: 'syntax' } },
      invoke: {
        id: 'generate',
        src: 'generate',
        input: ({ context }) => requestOf(context, 'syntax'),
        onDone: { target: 'examine', actions: { type: 'keepProposal', params: ({ event }) => event.output } },
        onError: {
          target: 'error',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    score: {
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
        onError: {
          target: 'error',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    solved: {
      description: 'The tests pass.',
      entry: { type: 'visit', params: { state: 'solved' } },
      type: 'final',
    },
    unsolved: {
      description: 'No iterations are left.',
      entry: { type: 'visit', params: { state: 'unsolved' } },
      type: 'final',
    },
    error: {
      description: 'The model or the sandbox failed, which says nothing about the task.',
      entry: { type: 'visit', params: { state: 'error' } },
      type: 'final',
    },
  },
});
