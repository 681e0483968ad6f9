import { causeOf } from './actors.ts';
import { agentSetup, startOf } from './agent-setup.ts';
import { candidateOf, completionOf, finalCandidateOf, requestOf } from './requests.ts';

/**
 * The agent `react`: propose, execute, and reflect, which is to write down why it failed; the next
 * proposal is given that diagnosis. Wiring only, like `repair.ts`.
 */
export const reactMachine = agentSetup.createMachine({
  id: 'react',
  context: ({ input }) => startOf(input),
  initial: 'propose',
  states: {
    propose: {
      description: 'Ask for the fixed function, with the diagnosis of the last one if there is one.',
      entry: { type: 'visit', params: { state: 'propose' } },
      invoke: {
        id: 'generate',
        src: 'generate',
        input: ({ context }) => requestOf(context, 'propose'),
        onDone: { target: 'examine', actions: { type: 'keepProposal', params: ({ event }) => event.output } },
        onError: {
          target: 'broken',
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
            guard: { type: 'isUntold', params: ({ event }) => event.output },
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
          target: 'broken',
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
          target: 'broken',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    iterate: {
      description: 'Does the budget allow another proposal?',
      entry: { type: 'visit', params: { state: 'iterate' } },
      always: [
        { guard: 'isExhausted', target: 'exhausted' },
        { guard: 'isBudgetSpent', target: 'score' },
        { guard: 'isSettled', target: 'score' },
        { target: 'reflect', actions: 'countIteration' },
      ],
    },
    reflect: {
      description: 'Ask why it failed, in a few sentences.',
      entry: { type: 'visit', params: { state: 'reflect' } },
      invoke: {
        id: 'generate',
        src: 'generate',
        input: ({ context }) => requestOf(context, 'diagnose'),
        onDone: {
          target: 'propose',
          actions: { type: 'keepDiagnosis', params: ({ event }) => event.output },
        },
        onError: {
          target: 'broken',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    score: {
      description: 'Run the tests that decide, once, on the final candidate.',
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
          { target: 'exhausted', actions: { type: 'keepScore', params: ({ event }) => event.output } },
        ],
        onError: {
          target: 'broken',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    solved: {
      description: 'The tests pass.',
      entry: { type: 'visit', params: { state: 'solved' } },
      type: 'final',
    },
    exhausted: {
      description: 'The budget is spent.',
      entry: { type: 'visit', params: { state: 'exhausted' } },
      type: 'final',
    },
    broken: {
      description: 'The model or the sandbox failed, which says nothing about the task.',
      entry: { type: 'visit', params: { state: 'broken' } },
      type: 'final',
    },
  },
});
