import { initialContext } from './context.ts';
import { agentSetup } from './setup.ts';
import { asking, ends, examining, executing, finding, starting } from './states.ts';

/**
 * The agent `tools`: the model calls a function with its code and receives the result, in one conversation,
 * until the tests pass or no iterations are left. Code that was submitted before gets a warning instead of
 * another run.
 */
export const toolsMachine = agentSetup.createMachine({
  id: 'tools',
  context: ({ input }) => initialContext(input),
  initial: 'start',
  states: {
    start: starting('draft'),
    draft: asking('draft', 'Ask for a call with the fixed function.'),
    reflect: asking('reflect', 'Tell which test failed and how.'),
    repeat: asking('repeat', 'Warn that this was tried before.'),
    syntax: asking('syntax', 'Tell why the code could not be run.'),
    malformed: asking('malformed', 'Tell what was wrong with the call.'),
    ...finding,
    examine: examining(
      'iterate',
      'Is there a call with a function, does it parse, does its signature hold, is it new?',
    ),
    execute: executing('iterate'),
    iterate: {
      description: 'If an iteration is left: why did the attempt fail?',
      always: [
        { guard: 'isOutOfIterations', target: 'finish' },
        { guard: 'repeatsWithoutFeedback', target: 'finish' },
        { guard: 'makesNoCalls', target: 'finish' },
        { guard: 'isMalformed', target: 'malformed', actions: 'countIteration' },
        { guard: 'isRepeated', target: 'repeat', actions: 'countIteration' },
        { guard: 'isUnrunnable', target: 'syntax', actions: 'countIteration' },
        { target: 'reflect', actions: 'countIteration' },
      ],
    },
    ...ends,
  },
});
