import { type OptionValues, parseOptions } from '../../options/option.ts';
import { machineOptions } from '../../options/tables/command-options.ts';
import { formatMachine } from '../../repair/machine-formats.ts';
import { allMachines } from '../../repair/machines.ts';
import { machinePicture } from '../../viewer/machine-picture.ts';
import type { Command } from '../command.ts';

export const command: Command = {
  description: 'Prints the state machine of an agent, or of hefix fix.',
  options: machineOptions,
  examples: [
    'hefix machine --format ascii',
    'hefix machine --format json > repair.json',
    'hefix machine --format png > machine.png',
    'hefix machine --agent project',
  ],
  async run(given, { print }) {
    const printed = await printMachine(parseOptions(machineOptions, given));
    if (typeof printed === 'string') print(printed.trimEnd());
    else process.stdout.write(printed);
    return 0;
  },
};

/**
 * The machine of an agent, or of `hefix fix`, as text, or as the bytes of a PNG.
 */
export async function printMachine({
  format,
  agent,
}: OptionValues<typeof machineOptions>): Promise<string | Uint8Array> {
  const machine = allMachines[agent];
  if (format === 'svg' || format === 'png') return await machinePicture(machine, format);
  return formatMachine(machine, format);
}
