import { causeOf } from './actors.ts';
import { agentSetup, startOf } from './agent-setup.ts';
import {
  candidateOf,
  completionOf,
  enumerateOf,
  finalCandidateOf,
  rankOf,
  siftOf,
  widenOf,
} from './requests.ts';

/**
 * The agent `search`: enumerate edits of the function, let the model put them in order, try them on what may be
 * run, and hand in the first that survives. Wiring only, like `repair.ts`.
 */
export const searchMachine = agentSetup.createMachine({
  id: 'search',
  context: ({ input }) => startOf(input),
  initial: 'enumerate',
  states: {
    enumerate: {
      description: 'Make each program that one edit of the syntax tree gives.',
      entry: { type: 'visit', params: { state: 'enumerate' } },
      invoke: {
        id: 'enumerate',
        src: 'enumerate',
        input: ({ context }) => enumerateOf(context),
        onDone: [
          {
            guard: 'isRanking',
            target: 'rank',
            actions: { type: 'keepEdits', params: ({ event }) => event.output },
          },
          { target: 'choose', actions: { type: 'keepEdits', params: ({ event }) => event.output } },
        ],
        onError: {
          target: 'broken',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    rank: {
      description: 'Ask the model how likely it would write each.',
      entry: { type: 'visit', params: { state: 'rank' } },
      invoke: {
        id: 'rank',
        src: 'rank',
        input: ({ context }) => rankOf(context),
        onDone: { target: 'choose', actions: { type: 'keepRanking', params: ({ event }) => event.output } },
        onError: {
          target: 'broken',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    choose: {
      description: 'What is left to try, and may anything be run?',
      entry: { type: 'visit', params: { state: 'choose' } },
      always: [
        { guard: 'hasNoCandidates', target: 'spent' },
        { guard: 'isBlind', target: 'examine', actions: 'proposeBest' },
        { guard: 'hasUntried', target: 'sift' },
        { guard: 'mayWiden', target: 'widen' },
        { target: 'examine', actions: 'proposeBest' },
      ],
    },
    sift: {
      description: 'Try one after the other, many in one execution, up to the first that survives.',
      entry: { type: 'visit', params: { state: 'sift' } },
      invoke: {
        id: 'sift',
        src: 'sift',
        input: ({ context }) => siftOf(context),
        onDone: [
          {
            guard: { type: 'isSurvivor', params: ({ event }) => event.output },
            target: 'examine',
            actions: [{ type: 'keepSifting', params: ({ event }) => event.output }, 'proposeSurvivor'],
          },
          { target: 'choose', actions: { type: 'keepSifting', params: ({ event }) => event.output } },
        ],
        onError: {
          target: 'broken',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    widen: {
      description: 'Add pairs of edits, of those that came furthest first.',
      entry: { type: 'visit', params: { state: 'widen' } },
      invoke: {
        id: 'widen',
        src: 'widen',
        input: ({ context }) => widenOf(context),
        onDone: { target: 'choose', actions: { type: 'keepPairs', params: ({ event }) => event.output } },
        onError: {
          target: 'broken',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    examine: {
      description: 'Does it parse, does its signature hold, is it new?',
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
      description: 'Let the judge decide on it by the tests that may be learnt from.',
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
      description: 'Is this the one to hand in?',
      entry: { type: 'visit', params: { state: 'judged' } },
      always: [
        { guard: 'isDecidedAndScored', target: 'exhausted' },
        { guard: 'isDecided', target: 'score' },
        { target: 'choose' },
      ],
    },
    spent: {
      description: 'There is no further candidate: is there one to hand in?',
      entry: { type: 'visit', params: { state: 'spent' } },
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
      description: 'The tests do not pass, or there is nothing left to try.',
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
