import type { Command } from '../../cli/command.ts';
import { partsOf } from '../../cli/debugging.ts';
import { withInspection } from '../../cli/local-pages.ts';
import { printable, printableLines } from '../../core/text.ts';
import { withWorkers } from '../../options/settings.ts';
import { parseSweepOptions, type SweepCell, sweepOptions } from './sweep-options.ts';

export const command: Command = {
  description:
    'Runs every combination of agents, temperatures and numbers of iterations, and compares them in a table and charts.',
  options: sweepOptions,
  examples: [
    'hefix sweep --iters 0..5 --samples 5 --temperature 0,0.4,0.8 --agent reflect,react --out sweeps/a',
    'hefix sweep --iters 0..5 --samples 5 --temperature 0,0.4,0.8 --agent reflect,react --out sweeps/a --resume',
  ],
  async run(input, io) {
    const { printResult, terminal, signal } = io;
    const clock = { date: () => new Date(), now: () => performance.now() };
    const { sweepFolder } = await import('../../report/results/manifest.ts');
    const named = input.out === undefined && !input.resume ? { out: sweepFolder(clock.date()) } : {};
    const options = parseSweepOptions(withWorkers({ ...input, ...named }, process.env));
    const { sweep } = await import('./sweep.ts');
    const { sweepText } = await import('../../report/sweep.ts');
    const { createProgress } = await import('../../cli/terminal/create-progress.ts');
    const { bold } = terminal.colors;
    let writeAbove = terminal.write;
    const display = (cell: SweepCell, number: number, count: number) => {
      if (!options.quiet) terminal.write(bold(`\nrun ${number} of ${count}: ${printable(cell.name)}\n`));
      const progress = createProgress(cell.options, terminal, clock);
      if (!options.quiet) writeAbove = progress.writeAbove;
      return progress;
    };
    return await withInspection(options, io, async inspect => {
      const result = await sweep(options, await partsOf(io, text => writeAbove(text)), {
        signal,
        clock,
        display,
        inspect,
      });
      if (!options.quiet) {
        terminal.write(printableLines(`\n${sweepText(result.rows)}`));
        terminal.write(`records, table and charts in ${printable(options.folder)}\n`);
      }
      printResult(result);
      return 0;
    });
  },
};
