import { oneShotMachine } from '../../machines/one-shot.ts';
import { reactMachine } from '../../machines/react.ts';
import { reflectMachine } from '../../machines/reflect.ts';
import { searchMachine } from '../../machines/search.ts';
import { toolsMachine } from '../../machines/tools.ts';

/** The agents by the names that people give them. */
export const machines = {
  reflect: reflectMachine,
  react: reactMachine,
  tools: toolsMachine,
  search: searchMachine,
  'one-shot': oneShotMachine,
} as const;
export type AgentName = keyof typeof machines;
export const agentNames = [
  'reflect',
  'react',
  'tools',
  'search',
  'one-shot',
] as const satisfies readonly AgentName[];
