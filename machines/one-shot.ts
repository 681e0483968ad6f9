import { agentSetup, startOf } from './agent-setup.ts';
import { asking, broken, ending, examining, executing, score, solved } from './states.ts';

/**
 * The agent `one-shot`: draft and judge, the baseline of all others. It has no use for a budget.
 * Wiring only, like `repair.ts`.
 */
export const oneShotMachine = agentSetup.createMachine({
  id: 'one-shot',
  context: ({ input }) => startOf(input),
  initial: 'draft',
  states: {
    draft: asking('draft', 'Ask for the fixed function.'),
    examine: examining('judged', 'Is there a function, does it parse, does its signature hold, is it new?'),
    execute: executing('judged'),
    judged: {
      description: 'Have the tests that decide had their say?',
      entry: { type: 'visit', params: { state: 'judged' } },
      always: [{ guard: 'isScored', target: 'exhausted' }, { target: 'score' }],
    },
    score,
    solved,
    exhausted: ending('exhausted', 'The tests do not pass.'),
    broken,
  },
});
