import { initialContext } from './context.ts';
import { agentSetup } from './setup.ts';
import {
  asking,
  ends,
  examining,
  executing,
  finding,
  onActorError,
  output,
  promptOf,
  starting,
} from './states.ts';

/**
 * The agent `react`: propose, execute and reflect. The reflection explains why the attempt failed, and the
 * next proposal is given this diagnosis.
 */
export const reactMachine = agentSetup.createMachine({
  id: 'react',
  context: ({ input }) => initialContext(input),
  initial: 'start',
  states: {
    start: starting('propose'),
    propose: asking(
      'propose',
      'Ask for the fixed function, with the diagnosis of the last one if there is one.',
    ),
    ...finding,
    examine: examining('iterate'),
    execute: executing('iterate'),
    iterate: {
      description: 'Is another iteration left?',
      always: [
        { guard: 'isOutOfIterations', target: 'finish' },
        { guard: 'repeatsWithoutFeedback', target: 'finish' },
        {
          guard: 'asksNothing',
          target: 'enumerate',
          actions: ['countIteration', { type: 'skipPrompt', params: { node: 'propose' } }],
        },
        { target: 'reflect', actions: 'countIteration' },
      ],
    },
    reflect: {
      description: 'Ask why it failed, in a few sentences.',
      invoke: {
        id: 'propose',
        src: 'propose',
        input: ({ context }) => promptOf(context, 'diagnose'),
        onDone: { target: 'propose', actions: { type: 'keepDiagnosis', params: output } },
        onError: onActorError,
      },
    },
    ...ends,
  },
});
