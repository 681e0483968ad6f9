/** The names of the agents. */
export const agentNames = ['reflect', 'react', 'tools', 'search', 'one-shot'] as const;
export type AgentName = (typeof agentNames)[number];
