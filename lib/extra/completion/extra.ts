import type { Extra } from '../../extras.ts';

export const completion: Extra = {
  commands: {
    completion: {
      about: 'print a completion script for bash, zsh or fish',
      load: async () => (await import('./command.ts')).command,
      options: async () => ({}),
    },
  },
};
