import { agentSetup, startOf } from './agent-setup.ts';
import { enumerateOf, rankOf, siftOf, widenOf } from './requests.ts';
import { breaks, broken, ending, examining, executing, score, solved } from './states.ts';

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
        onError: breaks,
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
        onError: breaks,
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
        onError: breaks,
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
        onError: breaks,
      },
    },
    examine: examining('judged', 'Does it parse, does its signature hold, is it new?'),
    execute: executing('judged', 'Let the judge decide on it by the tests that may be learnt from.'),
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
    score,
    solved,
    exhausted: ending('exhausted', 'The tests do not pass, or there is nothing left to try.'),
    broken,
  },
});
