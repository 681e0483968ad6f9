import {
  createProgress,
  parseRerunOptions,
  rerun,
  rerunFlags,
  rerunOptionsSchema,
  rerunText,
} from '../../lib/index.ts';
import type { Command } from '../command.ts';
import { partsOf } from '../debugging.ts';

export const rerunCommand: Command = {
  name: 'rerun',
  about: 'repeat the run that a manifest tells of, and say what differs',
  operands: { usage: '<run.manifest.json>', least: 1, most: 1 },
  flags: Object.values(rerunFlags),
  defaults: rerunOptionsSchema.parse({}),
  examples: ['hefix rerun results/a.manifest.json'],
  async run(given, io, [path = '']) {
    const { printResult, terminal, signal } = io;
    const options = await parseRerunOptions(path, given);
    const clock = { date: () => new Date(), now: () => performance.now() };
    const progress = createProgress(options, terminal, clock);
    try {
      const result = await rerun(path, options, partsOf(io, options.quiet ? undefined : progress.above), {
        events: progress,
        signal,
        clock,
      });
      progress.finished(result);
      if (!options.quiet) terminal.write(`\n${rerunText(result)}`);
      printResult(result);
      return 0;
    } finally {
      progress.stop();
    }
  },
};
