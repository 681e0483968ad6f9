import { formatMachine } from '../agent/machine-formats.ts';
import { machines } from '../agent/machines.ts';
import type { machineOptions } from '../options/command-options.ts';
import type { OptionValues } from '../options/option.ts';

/** An agent's machine as text. */
export function printMachine({ format, agent }: OptionValues<typeof machineOptions>): string {
  return formatMachine(machines[agent], format);
}
