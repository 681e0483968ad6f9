import { parseOptions } from '../../options/option.ts';
import { machineOptions } from '../../options/tables/command-options.ts';
import type { Command } from '../command.ts';

export const machineCommand: Command = {
  description: 'Prints the state machine of an agent, or of hefix fix.',
  options: machineOptions,
  examples: [
    'hefix machine --format ascii',
    'hefix machine --format json > repair.json',
    'hefix machine --format png > machine.png',
    'hefix machine --agent project',
  ],
  async run(given, { print }) {
    const { printMachine } = await import('./machine.ts');
    const printed = await printMachine(parseOptions(machineOptions, given));
    if (typeof printed === 'string') print(printed.trimEnd());
    else process.stdout.write(printed);
    return 0;
  },
};
