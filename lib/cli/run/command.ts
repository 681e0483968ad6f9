import { withWorkers } from '../../options/environment.ts';
import { resumeOptions } from '../../options/tables/output-options.ts';
import { distributionOptions, takeDistribution } from '../../options/tables/queue-options.ts';
import { parseRunOptions, runOptions } from '../../options/tables/run-options.ts';
import type { Command } from '../command.ts';
import { partsOf } from '../debugging.ts';
import { withInspection } from '../local-pages.ts';
import { withLastRun } from '../resume-last.ts';

export const command: Command = {
  description:
    'hefix gives a model buggy functions, runs their tests in a sandbox, feeds failures back and measures how many it repairs.',
  options: { ...runOptions, ...resumeOptions, ...distributionOptions },
  examples: [
    'hefix --ts 5 --iters 3',
    'hefix --dataset humanevalpack --ts 10',
    'hefix --dataset tasks.jsonl --model ./my-model --out r.jsonl',
    'hefix --dataset tasks.jsonl --model ./my-model --out r.jsonl --resume',
  ],
  async run(given, io) {
    const { printResult, terminal, signal } = io;
    const { distribution, rest } = takeDistribution(given);
    const parse = (chosen: typeof rest) => parseRunOptions(withWorkers(chosen, process.env));
    const options = parse(await withLastRun(rest, io, parse));
    const { createProgress } = await import('../terminal/create-progress.ts');
    const { run } = await import('../../run/run.ts');
    const clock = { date: () => new Date(), now: () => performance.now() };
    const progress = createProgress(options, terminal, clock);
    try {
      return await withInspection(options, io, async inspect => {
        const parts = await partsOf(io, options.quiet ? undefined : progress.writeAbove);
        const context = { events: progress, signal, clock, inspect };
        const { distributing } = await import('../distribute.ts');
        const result = await distributing(distribution, distribute =>
          run(options, { ...parts, ...distribute }, context),
        );
        progress.finished(result);
        printResult(result);
        return 0;
      });
    } finally {
      progress.stop();
    }
  },
};
