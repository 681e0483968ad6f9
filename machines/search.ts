import { initialContext } from './context.ts';
import { agentSetup } from './setup.ts';
import {
  choose,
  closest,
  combine,
  deciding,
  ends,
  enumerate,
  examining,
  executing,
  rank,
  screen,
} from './states.ts';

/**
 * The agent `search`: enumerates edits of the function, lets the model rank them, tries them on the allowed
 * tests, and proposes the first that passes. No prompt asks for an answer.
 */
export const searchMachine = agentSetup.createMachine({
  id: 'search',
  context: ({ input }) => initialContext(input),
  initial: 'enumerate',
  states: {
    enumerate,
    decide: deciding('finish'),
    rank,
    screen,
    choose,
    combine,
    closest: closest(1),
    examine: examining('iterate'),
    execute: executing('iterate'),
    iterate: {
      description: 'Is this the last candidate?',
      always: [{ guard: 'isLastCandidate', target: 'finish' }, { target: 'decide' }],
    },
    ...ends,
  },
});
