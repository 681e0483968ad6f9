import { exactnessText } from '../../core/measurements.ts';
import { printable } from '../../core/printable.ts';
import { parseOptions } from '../../options/option.ts';
import { pullOptions } from '../../options/tables/command-options.ts';
import type { Command } from '../command.ts';

export const pullCommand: Command = {
  description:
    'Fetches a model from the hub, builds its graph if it has none, and makes it ready to run offline.',
  operands: { usage: '<model>', min: 1, max: 1 },
  options: pullOptions,
  examples: ['hefix pull qwen2.5-coder-0.5b', 'hefix pull Qwen/Qwen3-0.6B --dtype q4-128'],
  async run(given, { printResult, terminal, signal }, [model = '']) {
    const options = parseOptions(pullOptions, given);
    const { pull } = await import('./pull.ts');
    const { createProgressBar } = await import('../../terminal/progress-bar.ts');
    const { createPreparationDisplay } = await import('../../terminal/preparation.ts');
    const bar = createProgressBar(terminal);
    const onPreparing = options.quiet ? () => {} : createPreparationDisplay(terminal, bar);
    const ready = await pull(model, options, { onPreparing, signal }).finally(bar.clear);
    if (!options.quiet) {
      if (ready.exactness) terminal.write(`${exactnessText(ready.exactness)}\n`);
      terminal.write(printable(`${ready.name} is ready in ${ready.folder}`).concat('\n'));
    }
    printResult(ready);
    return 0;
  },
};
