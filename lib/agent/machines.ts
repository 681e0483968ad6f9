import { oneShotMachine } from '../../machines/one-shot.ts';
import { reactMachine } from '../../machines/react.ts';
import { repairMachine } from '../../machines/repair.ts';

/** The agents by the names that people give them. */
export const machines = {
  reflect: repairMachine,
  react: reactMachine,
  'one-shot': oneShotMachine,
} as const;
export type AgentName = keyof typeof machines;
export const agentNames = ['reflect', 'react', 'one-shot'] as const satisfies readonly AgentName[];
