import { initialContext } from './context.ts';
import { agentSetup } from './setup.ts';
import { asking, ends, examining, executing, finding, starting } from './states.ts';

/** The agent `one-shot`: draft and judge, the baseline for all others. It has no iterations. */
export const oneShotMachine = agentSetup.createMachine({
  id: 'one-shot',
  context: ({ input }) => initialContext(input),
  initial: 'start',
  states: {
    start: starting('draft'),
    draft: asking('draft', 'Ask for the fixed function.'),
    ...finding,
    examine: examining('finish'),
    execute: executing('finish'),
    ...ends,
  },
});
