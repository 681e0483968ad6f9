import type { AnyStateMachine } from 'xstate';
import { oneShotMachine } from '../../machines/one-shot.ts';
import { reactMachine } from '../../machines/react.ts';
import { reflectMachine } from '../../machines/reflect.ts';
import { searchMachine } from '../../machines/search.ts';
import { toolsMachine } from '../../machines/tools.ts';
import type { AgentName } from '../core/choices.ts';

export const machines = {
  reflect: reflectMachine,
  react: reactMachine,
  tools: toolsMachine,
  search: searchMachine,
  'one-shot': oneShotMachine,
} as const satisfies Readonly<Record<AgentName, AnyStateMachine>>;
