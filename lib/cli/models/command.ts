import { batchingText, exactnessText } from '../../core/measurements.ts';
import { printable, printableJson } from '../../core/printable.ts';
import { parseOptions } from '../../options/option.ts';
import { modelsOptions } from '../../options/tables/command-options.ts';
import type { Command } from '../command.ts';
import type { ListedModel } from './list-models.ts';

export const modelsCommand: Command = {
  description: 'Lists the models that --model can name, and which of them are downloaded.',
  options: modelsOptions,
  examples: ['hefix models', 'hefix models --folder ~/models'],
  async run(given, { print }) {
    const options = parseOptions(modelsOptions, given);
    const { listModels } = await import('./list-models.ts');
    const models = await listModels(options.folder);
    if (options.json) {
      print(printableJson(models));
      return 0;
    }
    const rows = models.map(columns);
    const widths = [0, 1, 2].map(index => Math.max(...rows.map(row => row[index]?.length ?? 0)));
    for (const [index, row] of rows.entries()) {
      print(row.map((cell, column) => printable(cell).padEnd(widths[column] ?? 0)).join('  '));
      for (const exactness of models[index]?.exactness ?? []) print(`  ${exactnessText(exactness)}`);
      for (const batching of models[index]?.batching ?? []) print(`  ${batchingText(batching)}`);
    }
    return 0;
  },
};

/** Name, size, licence and location. */
function columns({ name, id, parameters, licence, folder, bytes }: ListedModel): string[] {
  const weights = parameters === null ? '' : `${Math.round(parameters / 1e6)}M parameters`;
  const onDisk = bytes === null ? '' : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  const size = [weights, onDisk].filter(part => part !== '').join(', ');
  return [name, size, licence ?? '', folder ?? `${id}, not in the cache`];
}
