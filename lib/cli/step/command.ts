import { parseStepOptions, stepOptions } from '../../options/tables/step-options.ts';
import { terminalOf } from '../../terminal/terminal.ts';
import type { Command } from '../command.ts';
import { partsOf } from '../debugging.ts';
import { withInspection } from '../inspecting.ts';

export const stepCommand: Command = {
  description: "Walks one task through the agent's machine, one key per step.",
  options: stepOptions,
  examples: ['hefix step --task mini/3', 'hefix step --task mini/3 --agent react --iters 2'],
  async run(given, io) {
    const options = parseStepOptions(given);
    const { step } = await import('./step.ts');
    const { openKeys } = await import('./step-keys.ts');
    const { createProgressBar } = await import('../../terminal/progress-bar.ts');
    const { createPreparationDisplay } = await import('../../terminal/preparation.ts');
    const terminal = terminalOf(process.stdout, process.env);
    const onPreparing = createPreparationDisplay(io.terminal, createProgressBar(io.terminal));
    const warn = (sentence: string) => io.terminal.write(`${sentence}\n`);
    const keys = openKeys(process.stdin, terminal, io.signal);
    try {
      const parts = await partsOf(io);
      const outcome = await withInspection(options, io, inspect =>
        step(options, parts, {
          terminal,
          ask: keys.ask,
          signal: io.signal,
          inspect,
          onPreparing,
          warn,
        }),
      );
      if (outcome === null) terminal.write('Left before the end.\n');
      return 0;
    } finally {
      keys.close();
    }
  },
};
