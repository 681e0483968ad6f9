import { createProgress, parseRunOptions, run, runFlags, withWorkers } from '../../lib/index.ts';
import type { Command } from '../command.ts';
import { partsOf } from '../debugging.ts';
import { withInspection } from '../inspecting.ts';

export const runCommand: Command = {
  name: 'run',
  about: 'repair the tasks of a dataset and measure how many pass',
  flags: Object.values(runFlags),
  defaults: { ...parseRunOptions({}) },
  examples: [
    'hefix --ts 5 --iters 3',
    'hefix --dataset tasks.jsonl --model ./my-model --out r.jsonl',
    'hefix --dataset tasks.jsonl --model ./my-model --out r.jsonl --resume',
  ],
  async run(given, io) {
    const { printResult, terminal, signal } = io;
    const options = parseRunOptions(withWorkers(given, process.env));
    const clock = { date: () => new Date(), now: () => performance.now() };
    const progress = createProgress(options, terminal, clock);
    try {
      return await withInspection(options, io, async inspect => {
        const result = await run(options, partsOf(io, options.quiet ? undefined : progress.above), {
          events: progress,
          signal,
          clock,
          inspect,
        });
        progress.finished(result);
        printResult(result);
        return 0;
      });
    } finally {
      progress.stop();
    }
  },
};
