import {
  createProgress,
  parseRerunOptions,
  printableJson,
  rerun,
  rerunFlags,
  rerunOptionsSchema,
  rerunText,
  runParts,
} from '../../lib/index.ts';
import type { Command } from '../command.ts';

export const rerunCommand: Command = {
  name: 'rerun',
  about: 'repeat the run that a manifest tells of, and say what differs',
  operands: { usage: '<run.manifest.json>', least: 1, most: 1 },
  flags: Object.values(rerunFlags),
  defaults: rerunOptionsSchema.parse({}),
  examples: ['hefix rerun results/a.manifest.json'],
  async run(given, { print, terminal, signal }, [path = '']) {
    const options = await parseRerunOptions(path, given);
    const clock = { date: () => new Date(), now: () => performance.now() };
    const progress = createProgress(options, terminal, clock);
    try {
      const result = await rerun(path, options, runParts(), { events: progress, signal, clock });
      progress.finished(result);
      if (!options.quiet) terminal.write(`\n${rerunText(result)}`);
      print(printableJson(result));
      return 0;
    } finally {
      progress.stop();
    }
  },
};
