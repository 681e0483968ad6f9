import type { Extra } from '../../extras.ts';

export const sweep: Extra = {
  commands: {
    sweep: {
      about: 'run every combination of agents, temperatures and numbers of iterations',
      load: async () => (await import('./command.ts')).command,
      options: async () => (await import('./sweep-options.ts')).sweepOptions,
    },
  },
};
