import { combinePairsOf, enumerateOf, prescreenOf, rankOf } from './requests.ts';
import { agentSetup, initialContext } from './setup.ts';
import { ending, errorState, examining, executing, onActorError, score, solved } from './states.ts';

/**
 * The agent `search`: enumerates edits of the function, lets the model rank them, tries them on the allowed
 * tests, and proposes the first that passes. Contains only the wiring, like `reflect.ts`.
 */
export const searchMachine = agentSetup.createMachine({
  id: 'search',
  context: ({ input }) => initialContext(input),
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
        onError: onActorError,
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
        onError: onActorError,
      },
    },
    choose: {
      description: 'What is left to try, and may anything be run?',
      entry: { type: 'visit', params: { state: 'choose' } },
      always: [
        { guard: 'hasNoCandidates', target: 'spent' },
        { guard: 'isBlind', target: 'examine', actions: 'proposeBest' },
        { guard: 'isTimeUp', target: 'examine', actions: 'proposeBest' },
        { guard: 'hasUntried', target: 'prescreen' },
        { guard: 'mayWiden', target: 'combinePairs' },
        { target: 'examine', actions: 'proposeBest' },
      ],
    },
    prescreen: {
      description: 'Try one after the other, many in one execution, up to the first that survives.',
      entry: { type: 'visit', params: { state: 'prescreen' } },
      invoke: {
        id: 'prescreen',
        src: 'prescreen',
        input: ({ context }) => prescreenOf(context),
        onDone: [
          {
            guard: { type: 'isSurvivor', params: ({ event }) => event.output },
            target: 'examine',
            actions: [{ type: 'keepPrescreening', params: ({ event }) => event.output }, 'proposeSurvivor'],
          },
          { target: 'choose', actions: { type: 'keepPrescreening', params: ({ event }) => event.output } },
        ],
        onError: onActorError,
      },
    },
    combinePairs: {
      description: 'Add pairs of edits, of those that came furthest first.',
      entry: { type: 'visit', params: { state: 'combinePairs' } },
      invoke: {
        id: 'combinePairs',
        src: 'combinePairs',
        input: ({ context }) => combinePairsOf(context),
        onDone: { target: 'choose', actions: { type: 'keepPairs', params: ({ event }) => event.output } },
        onError: onActorError,
      },
    },
    examine: examining('judged', 'Does it parse, does its signature hold, is it new?'),
    execute: executing('judged', 'Run the tests that the agent may see.'),
    judged: {
      description: 'Is this the one to hand in?',
      entry: { type: 'visit', params: { state: 'judged' } },
      always: [
        { guard: 'isDecidedAndScored', target: 'unsolved' },
        { guard: 'isDecided', target: 'score' },
        { target: 'choose' },
      ],
    },
    spent: {
      description: 'There is no further candidate: is there one to hand in?',
      entry: { type: 'visit', params: { state: 'spent' } },
      always: [{ guard: 'isScored', target: 'unsolved' }, { target: 'score' }],
    },
    score,
    solved,
    unsolved: ending('unsolved', 'The tests do not pass, or there is nothing left to try.'),
    error: errorState,
  },
});
