/** The agents by the names that people give them. */
export const agentNames = ['reflect', 'react', 'tools', 'search', 'one-shot'] as const;
export type AgentName = (typeof agentNames)[number];
