import type { Extra } from '../../extras.ts';

export const mcp: Extra = {
  commands: {
    mcp: {
      about: 'offer sandbox and repairs to other agents over MCP',
      load: async () => (await import('./command.ts')).command,
      options: async () => (await import('./mcp-options.ts')).mcpOptions,
    },
  },
};
