import { initialContext } from './context.ts';
import { agentSetup } from './setup.ts';
import { combine, ends, enumerate, onActorError, output, promptOf, screen } from './states.ts';

const { solved, unsolved, error } = ends;

/**
 * Searches for the repair of one function of a project, with the states of the other machines. Enumerated edits are run
 * while the model loads and answers; then its answers join them.
 */
export const suspectMachine = agentSetup.createMachine({
  id: 'suspect',
  context: ({ input }) => initialContext(input),
  output: ({ context }) => context,
  initial: 'enumerate',
  states: {
    enumerate,
    decide: {
      description: 'What is the next step towards a repair?',
      always: [
        { guard: 'screensAll', target: 'screen' },
        { guard: 'mayAskModel', target: 'draft' },
        { guard: 'canChoose', target: 'solved' },
        { guard: 'hasUntried', target: 'screen' },
        { guard: 'mayCombine', target: 'combine' },
        { target: 'unsolved' },
      ],
    },
    screen,
    draft: {
      description: 'Ask the model for its answers.',
      invoke: {
        id: 'propose',
        src: 'propose',
        input: ({ context }) => promptOf(context, 'draft'),
        onDone: { target: 'enumerate', actions: { type: 'keepProposal', params: output } },
        onError: onActorError,
      },
    },
    combine,
    solved,
    unsolved,
    error,
  },
});
