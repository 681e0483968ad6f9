import { machineFlags, machineOptionsSchema, parseOptions, printMachine } from '../../lib/index.ts';
import type { Command } from '../command.ts';

export const machineCommand: Command = {
  name: 'machine',
  about: 'print an agent’s state machine',
  flags: Object.values(machineFlags),
  defaults: machineOptionsSchema.parse({}),
  examples: ['hefix machine --format ascii', 'hefix machine --format json > repair.json'],
  async run(given, { print }) {
    print(printMachine(parseOptions(machineOptionsSchema, given)).trimEnd());
    return 0;
  },
};
