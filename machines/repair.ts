import { agentSetup, startOf } from './agent-setup.ts';
import { asking, broken, ending, examining, executing, score, solved } from './states.ts';

/**
 * The agent `reflect`: draft, judge, and repair by what the verdict says until the tests pass or the
 * budget is spent. It is wiring only: who writes, examines and executes is given with `.provide()`.
 */
export const repairMachine = agentSetup.createMachine({
  id: 'repair',
  context: ({ input }) => startOf(input),
  initial: 'draft',
  states: {
    draft: asking('draft', 'Ask for the fixed function.'),
    examine: examining('iterate', 'Is there a function, does it parse, does its signature hold, is it new?'),
    execute: executing('iterate'),
    iterate: {
      description: 'If the budget allows: what is the reason of the failure?',
      entry: { type: 'visit', params: { state: 'iterate' } },
      always: [
        { guard: 'isExhausted', target: 'exhausted' },
        { guard: 'isBudgetSpent', target: 'score' },
        { guard: 'isSettled', target: 'score' },
        { guard: 'isRepeated', target: 'repeat', actions: 'countIteration' },
        { guard: 'isUnrunnable', target: 'syntax', actions: 'countIteration' },
        { target: 'reflect', actions: 'countIteration' },
      ],
    },
    reflect: asking('reflect', 'Tell which test failed and how.'),
    repeat: asking('repeat', 'Tell that this was tried before.'),
    syntax: asking('syntax', 'Tell why the answer could not be run.'),
    score,
    solved,
    exhausted: ending('exhausted', 'The budget is spent.'),
    broken,
  },
});
