import type { AnyStateMachine } from 'xstate';
import type { AgentName } from '../core/choices.ts';

const machines = {
  reflect: async () => (await import('../../machines/reflect.ts')).reflectMachine,
  react: async () => (await import('../../machines/react.ts')).reactMachine,
  tools: async () => (await import('../../machines/tools.ts')).toolsMachine,
  search: async () => (await import('../../machines/search.ts')).searchMachine,
  'one-shot': async () => (await import('../../machines/one-shot.ts')).oneShotMachine,
} as const satisfies Readonly<Record<AgentName, () => Promise<AnyStateMachine>>>;

export type AgentMachine = Awaited<ReturnType<(typeof machines)[AgentName]>>;

/** The machine of one agent; those of the others are not loaded. */
export async function agentMachine(agent: AgentName): Promise<AgentMachine> {
  return await machines[agent]();
}
