import {
  createProgress,
  parseRunOptions,
  parseSweepOptions,
  printable,
  printableJson,
  printableLines,
  runParts,
  type SweepCell,
  sweep,
  sweepFlags,
  sweepText,
  withWorkers,
} from '../../lib/index.ts';
import type { Command } from '../command.ts';
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
    const { print, terminal, signal } = io;
    const options = parseSweepOptions(withWorkers(given, process.env));
    const clock = { date: () => new Date(), now: () => performance.now() };
    const { bold } = terminal.colors;
    const display = (cell: SweepCell, place: number, count: number) => {
      if (!options.quiet) terminal.write(bold(`\nrun ${place} of ${count}: ${printable(cell.name)}\n`));
      return createProgress(cell.options, terminal, clock);
    };
    return await withInspection(options, io, async inspect => {
      const result = await sweep(options, runParts(), { signal, clock, display, inspect });
      if (!options.quiet) terminal.write(printableLines(`\n${sweepText(result.rows)}`));
      print(printableJson(result));
      return 0;
    });
  },
};
