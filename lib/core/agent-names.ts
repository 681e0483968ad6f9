/** The names of the agents. */
export const agentNames = ['reflect', 'react', 'tools', 'search', 'one-shot'] as const;
export type AgentName = (typeof agentNames)[number];

/** What reports call the agent of a run; samples that were made elsewhere have none. */
export function agentLabel(manifest: {
  readonly options: { readonly agent: string };
  readonly scored?: object | undefined;
}): string {
  return manifest.scored === undefined ? manifest.options.agent : 'none (scored)';
}
