import { initialContext } from './context.ts';
import { agentSetup } from './setup.ts';
import { asking, ends, examining, executing, finding, starting } from './states.ts';

/**
 * The agent `reflect`: draft, judge, and repair based on the verdict until the tests pass or no iterations
 * are left. Contains only the wiring: the actors are supplied with `.provide()`.
 */
export const reflectMachine = agentSetup.createMachine({
  id: 'reflect',
  context: ({ input }) => initialContext(input),
  output: ({ context }) => context,
  initial: 'start',
  states: {
    start: starting('draft'),
    draft: asking('draft', 'Ask for the fixed function.'),
    reflect: asking('reflect', 'Tell which test failed and how.'),
    repeat: asking('repeat', 'Tell that this was tried before.'),
    syntax: asking('syntax', 'Tell why the answer could not be run.'),
    ...finding,
    examine: examining('iterate'),
    execute: executing('iterate'),
    iterate: {
      description: 'If an iteration is left: why did the attempt fail?',
      always: [
        { guard: 'isOutOfIterations', target: 'finish' },
        { guard: 'repeatsWithoutFeedback', target: 'finish' },
        {
          guard: 'asksNothing',
          target: 'enumerate',
          actions: ['countIteration', { type: 'skipPrompt', params: {} }],
        },
        { guard: 'isRepeated', target: 'repeat', actions: 'countIteration' },
        { guard: 'isUnrunnable', target: 'syntax', actions: 'countIteration' },
        { target: 'reflect', actions: 'countIteration' },
      ],
    },
    ...ends,
  },
});
