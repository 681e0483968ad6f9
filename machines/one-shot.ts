import { agentSetup, initialContext } from './setup.ts';
import { asking, ending, errorState, examining, executing, score, solved } from './states.ts';

/**
 * The agent `one-shot`: draft and judge, the baseline for all others. It has no iterations. Contains only the
 * wiring, like `reflect.ts`.
 */
export const oneShotMachine = agentSetup.createMachine({
  id: 'one-shot',
  context: ({ input }) => initialContext(input),
  initial: 'draft',
  states: {
    draft: asking('draft', 'Ask for the fixed function.'),
    examine: examining('judged', 'Is there a function, does it parse, does its signature hold, is it new?'),
    execute: executing('judged'),
    judged: {
      description: 'Have the hidden tests judged it?',
      entry: { type: 'visit', params: { state: 'judged' } },
      always: [{ guard: 'isScored', target: 'unsolved' }, { target: 'score' }],
    },
    score,
    solved,
    unsolved: ending('unsolved', 'The tests do not pass.'),
    error: errorState,
  },
});
