import { rerunOptions } from '../../options/tables/command-options.ts';
import type { Command } from '../command.ts';
import { partsOf } from '../debugging.ts';

export const rerunCommand: Command = {
  description: 'Repeats a run from its manifest and lists what differs.',
  operands: { usage: '<run.manifest.json>', min: 1, max: 1 },
  options: rerunOptions,
  examples: ['hefix rerun results/a.manifest.json'],
  async run(given, io, [path = '']) {
    const { parseRerunOptions, rerun, rerunText } = await import('./rerun.ts');
    const { createProgress } = await import('../../terminal/create-progress.ts');
    const { printResult, terminal, signal } = io;
    const options = await parseRerunOptions(path, given);
    const clock = { date: () => new Date(), now: () => performance.now() };
    const progress = createProgress(options, terminal, clock);
    try {
      const result = await rerun(
        path,
        options,
        await partsOf(io, options.quiet ? undefined : progress.writeAbove),
        {
          events: progress,
          signal,
          clock,
        },
      );
      progress.finished(result);
      if (!options.quiet) terminal.write(`\n${rerunText(result)}`);
      printResult(result);
      return 0;
    } finally {
      progress.stop();
    }
  },
};
