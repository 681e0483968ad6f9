import { projectMachine } from '../../machines/project.ts';
import { suspectMachine } from '../../machines/suspect.ts';
import { writerMachine } from '../../machines/writer.ts';
import { machines } from './machines.ts';

/** The agents' machines and those of `hefix fix`. */
export const allMachines = {
  ...machines,
  project: projectMachine,
  suspect: suspectMachine,
  writer: writerMachine,
} as const;
