import {
  createPreparationDisplay,
  createProgressBar,
  parseOptions,
  printable,
  pull,
  pullFlags,
  pullOptionsSchema,
} from '../../lib/index.ts';
import type { Command } from '../command.ts';

export const pullCommand: Command = {
  name: 'pull',
  about: 'fetch a model from the hub and make it ready to run',
  operands: { usage: '<model>', least: 1, most: 1 },
  flags: Object.values(pullFlags),
  defaults: pullOptionsSchema.parse({}),
  examples: ['hefix pull qwen2.5-coder-0.5b', 'hefix pull Qwen/Qwen3-0.6B --dtype q4-128'],
  async run(given, { printResult, terminal, signal }, [model = '']) {
    const options = parseOptions(pullOptionsSchema, given);
    const bar = createProgressBar(terminal);
    const onPreparing = options.quiet ? () => {} : createPreparationDisplay(terminal, bar);
    const ready = await pull(model, options, { onPreparing, signal }).finally(bar.clear);
    if (!options.quiet) terminal.write(printable(`${ready.name} is ready in ${ready.folder}`).concat('\n'));
    printResult(ready);
    return 0;
  },
};
