import type { AnyStateMachine } from 'xstate';
import { oneShotMachine } from '../../machines/one-shot.ts';
import { projectMachine } from '../../machines/project.ts';
import { reactMachine } from '../../machines/react.ts';
import { reflectMachine } from '../../machines/reflect.ts';
import { searchMachine } from '../../machines/search.ts';
import { suspectMachine } from '../../machines/suspect.ts';
import { toolsMachine } from '../../machines/tools.ts';
import { writerMachine } from '../../machines/writer.ts';
import type { AgentName } from '../core/choices.ts';

export const machines = {
  reflect: reflectMachine,
  react: reactMachine,
  tools: toolsMachine,
  search: searchMachine,
  'one-shot': oneShotMachine,
} as const satisfies Readonly<Record<AgentName, AnyStateMachine>>;

/** The agents' machines and those of `hefix fix`. */
export const allMachines = {
  ...machines,
  project: projectMachine,
  suspect: suspectMachine,
  writer: writerMachine,
} as const;
