import { requestOf } from './requests.ts';
import { agentSetup, initialContext } from './setup.ts';
import { asking, ending, errorState, examining, executing, onActorError, score, solved } from './states.ts';

/**
 * The agent `react`: propose, execute and reflect. The reflection explains why the attempt failed, and the
 * next proposal is given this diagnosis. Contains only the wiring, like `reflect.ts`.
 */
export const reactMachine = agentSetup.createMachine({
  id: 'react',
  context: ({ input }) => initialContext(input),
  initial: 'propose',
  states: {
    propose: asking(
      'propose',
      'Ask for the fixed function, with the diagnosis of the last one if there is one.',
    ),
    examine: examining('iterate', 'Is there a function, does it parse, does its signature hold, is it new?'),
    execute: executing('iterate'),
    iterate: {
      description: 'Is another iteration left?',
      entry: { type: 'visit', params: { state: 'iterate' } },
      always: [
        { guard: 'isUnsolved', target: 'unsolved' },
        { guard: 'isOutOfIterations', target: 'score' },
        { guard: 'isSettled', target: 'score' },
        { target: 'reflect', actions: 'countIteration' },
      ],
    },
    reflect: {
      description: 'Ask why it failed, in a few sentences.',
      entry: { type: 'visit', params: { state: 'reflect' } },
      invoke: {
        id: 'generate',
        src: 'generate',
        input: ({ context }) => requestOf(context, 'diagnose'),
        onDone: {
          target: 'propose',
          actions: { type: 'keepDiagnosis', params: ({ event }) => event.output },
        },
        onError: onActorError,
      },
    },
    score,
    solved,
    unsolved: ending('unsolved', 'No iterations are left.'),
    error: errorState,
  },
});
