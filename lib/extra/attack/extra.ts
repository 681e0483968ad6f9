import type { Extra } from '../../extras.ts';

export const attack: Extra = {
  commands: {
    attack: {
      about: "attack hefix's sandbox, or another judge",
      load: async () => (await import('./command.ts')).command,
      options: async () => (await import('./attack-options.ts')).attackOptions,
    },
  },
  caches: { 'attack-controls': 'up to 1 KiB for each program of hefix attack, for 30 days' },
};
