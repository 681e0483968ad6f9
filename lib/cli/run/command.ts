import { withWorkers } from '../../options/settings.ts';
import { distributionOptions, takeDistribution } from '../../options/tables/distribution-options.ts';
import { parseRunOptions, resumeOptions, runOptions, takeResume } from '../../options/tables/run-options.ts';
import type { Distribute } from '../../run/run.ts';
import type { Command } from '../command.ts';
import { partsOf } from '../debugging.ts';
import type { Inspect } from '../local-pages.ts';

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
  async run(input, io) {
    const { printResult, terminal, signal } = io;
    const { distribution, rest: runInput } = takeDistribution(input);
    const { yes, rest } = takeResume(runInput);
    const parse = (chosen: typeof rest) => parseRunOptions(withWorkers(chosen, process.env));
    const options = parse(
      rest.resume && rest.out === undefined
        ? await (await import('../resume-last.ts')).withLastRun(rest, { ...io, yes, parse })
        : rest,
    );
    const { createProgress } = await import('../terminal/create-progress.ts');
    const { run } = await import('../../run/run.ts');
    const clock = { date: () => new Date(), now: () => performance.now() };
    const progress = createProgress(options, terminal, clock);
    try {
      const work = async (inspect?: Inspect) => {
        const parts = await partsOf(io, options.quiet ? undefined : progress.writeAbove);
        const context = { events: progress, signal, clock, inspect };
        const start = (distribute?: Distribute) =>
          run(options, { ...parts, ...(distribute && { distribute }) }, context);
        const result = await (distribution
          ? (await import('../distribute.ts')).distributing(distribution, start)
          : start());
        progress.finished(result);
        printResult(result);
        return 0;
      };
      if (!options.inspect) return await work();
      return await (await import('../local-pages.ts')).withInspection(options, io, work);
    } finally {
      progress.stop();
    }
  },
};
