import { causeOf } from './actors.ts';
import { agentSetup, startOf } from './agent-setup.ts';
import { candidateOf, completionOf, finalCandidateOf, requestOf } from './requests.ts';

/**
 * The agent `one-shot`: draft and judge, the baseline of all others. It has no use for a budget.
 * Wiring only, like `repair.ts`.
 */
export const oneShotMachine = agentSetup.createMachine({
  id: 'one-shot',
  context: ({ input }) => startOf(input),
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
            target: 'judged',
            actions: { type: 'keepAttempt', params: ({ event }) => ({ examination: event.output }) },
          },
          {
            guard: { type: 'isRunnable', params: ({ event }) => event.output },
            target: 'execute',
            actions: { type: 'keepExamination', params: ({ event }) => event.output },
          },
          {
            target: 'judged',
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
            target: 'judged',
            actions: { type: 'keepAttempt', params: ({ event }) => ({ judgement: event.output }) },
          },
        ],
        onError: {
          target: 'broken',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    judged: {
      description: 'Have the tests that decide had their say?',
      entry: { type: 'visit', params: { state: 'judged' } },
      always: [{ guard: 'isScored', target: 'exhausted' }, { target: 'score' }],
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
      description: 'The tests do not pass.',
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
