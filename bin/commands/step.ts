import {
  createPreparationDisplay,
  createProgressBar,
  openKeys,
  parseRunOptions,
  parseStepOptions,
  step,
  stepFlags,
  terminalOf,
} from '../../lib/index.ts';
import type { Command } from '../command.ts';
import { partsOf } from '../debugging.ts';
import { withInspection } from '../inspecting.ts';

export const stepCommand: Command = {
  name: 'step',
  about: 'walk one task through the agent’s machine, one key a step',
  flags: Object.values(stepFlags),
  defaults: { ...parseRunOptions({}) },
  examples: ['hefix step --task mini/3', 'hefix step --task mini/3 --agent react --iters 2'],
  async run(given, io) {
    const options = parseStepOptions(given);
    const terminal = terminalOf(process.stdout, process.env);
    const onPreparing = createPreparationDisplay(io.terminal, createProgressBar(io.terminal));
    const warn = (sentence: string) => io.terminal.write(`${sentence}\n`);
    const keys = openKeys(process.stdin, terminal, io.signal);
    try {
      const outcome = await withInspection(options, io, inspect =>
        step(options, partsOf(io), {
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
