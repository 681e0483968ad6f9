import { listModels, modelsFlags, modelsOptionsSchema, parseOptions } from '../../lib/index.ts';
import type { Command } from '../command.ts';

export const modelsCommand: Command = {
  name: 'models',
  about: 'list the models that are on this machine',
  flags: Object.values(modelsFlags),
  defaults: modelsOptionsSchema.parse({}),
  examples: ['hefix models', 'hefix models --folder ~/models'],
  async run(given, { print }) {
    const options = parseOptions(modelsOptionsSchema, given);
    const models = await listModels(options.folder);
    if (options.json) {
      print(JSON.stringify(models));
      return 0;
    }
    const width = Math.max(...models.map(({ name }) => name.length));
    for (const { name, bytes, folder } of models) {
      print(`${name.padEnd(width)}  ${(bytes / 2 ** 20).toFixed(1).padStart(8)} MiB  ${folder}`);
    }
    return 0;
  },
};
