import { z } from 'zod';
import { formatMachine, machineFormats } from '../agent/machine-formats.ts';
import { agentNames, machines } from '../agent/machines.ts';
import { choice } from '../options/option-checks.ts';
import type { Flag } from '../options/run-flags.ts';
import { runOptionsSchema } from '../options/run-options.ts';

export const machineOptionsSchema = z.strictObject({
  format: choice(machineFormats).default('mermaid'),
  agent: runOptionsSchema.shape.agent,
});
export type MachineOptions = z.infer<typeof machineOptionsSchema>;

export const machineFlags: Readonly<Record<keyof MachineOptions, Flag>> = {
  format: { flags: '--format <name>', group: 'Output', about: machineFormats.join(', ') },
  agent: { flags: '--agent <name>', group: 'Agent', about: `whose machine: ${agentNames.join(', ')}` },
};

/** An agent's machine as text. */
export function printMachine({ format, agent }: MachineOptions): string {
  return formatMachine(machines[agent], format);
}
