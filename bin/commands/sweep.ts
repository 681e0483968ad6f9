import {
  createProgress,
  parseRunOptions,
  parseSweepOptions,
  printable,
  printableLines,
  type SweepCell,
  sweep,
  sweepFlags,
  sweepText,
  withWorkers,
} from '../../lib/index.ts';
import type { Command } from '../command.ts';
import { partsOf } from '../debugging.ts';
import { withInspection } from '../inspecting.ts';

const { iters: _, out: __, ...defaults } = parseRunOptions({});

export const sweepCommand: Command = {
  name: 'sweep',
  about: 'run every combination of agents, temperatures and budgets, and tell what each is worth',
  flags: Object.values(sweepFlags),
  defaults,
  examples: [
    'hefix sweep --iters 0..5 --samples 5 --temperature 0,0.4,0.8 --agent reflect,react --out sweeps/a',
    'hefix sweep --iters 0..5 --samples 5 --temperature 0,0.4,0.8 --agent reflect,react --out sweeps/a --resume',
  ],
  async run(given, io) {
    const { printResult, terminal, signal } = io;
    const options = parseSweepOptions(withWorkers(given, process.env));
    const clock = { date: () => new Date(), now: () => performance.now() };
    const { bold } = terminal.colors;
    let above = terminal.write;
    const display = (cell: SweepCell, place: number, count: number) => {
      if (!options.quiet) terminal.write(bold(`\nrun ${place} of ${count}: ${printable(cell.name)}\n`));
      const progress = createProgress(cell.options, terminal, clock);
      if (!options.quiet) above = progress.above;
      return progress;
    };
    return await withInspection(options, io, async inspect => {
      const result = await sweep(
        options,
        partsOf(io, text => above(text)),
        { signal, clock, display, inspect },
      );
      if (!options.quiet) terminal.write(printableLines(`\n${sweepText(result.rows)}`));
      printResult(result);
      return 0;
    });
  },
};
