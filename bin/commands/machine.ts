import { machineOptions } from '../../lib/options/command-options.ts';
import { parseOptions } from '../../lib/options/option.ts';
import type { Command } from '../command.ts';

export const machineCommand: Command = {
  description: "Prints an agent's state machine.",
  options: machineOptions,
  examples: ['hefix machine --format ascii', 'hefix machine --format json > repair.json'],
  async run(given, { print }) {
    const { printMachine } = await import('../../lib/commands/machine.ts');
    print(printMachine(parseOptions(machineOptions, given)).trimEnd());
    return 0;
  },
};
