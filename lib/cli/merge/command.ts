import { mergeOptions, parseMergeOptions } from '../../options/tables/command-options.ts';
import { warningLine } from '../../terminal/terminal.ts';
import type { Command } from '../command.ts';

export const mergeCommand: Command = {
  description: 'Joins the results files of a run that was split with --shard.',
  operands: { usage: '<part.jsonl> …', min: 1, max: Number.POSITIVE_INFINITY },
  options: mergeOptions,
  examples: ['hefix --shard 1/2 --out part1.jsonl', 'hefix merge part*.jsonl --out all.jsonl'],
  async run(given, { printResult, terminal }, paths) {
    const { out, quiet } = parseMergeOptions(given);
    const { mergeResults } = await import('./merge.ts');
    const merged = await mergeResults(paths, out);
    if (!quiet) {
      for (const warning of merged.warnings) terminal.write(warningLine(terminal, warning));
      terminal.write(`${merged.count} records in ${merged.records}\n`);
    }
    printResult(merged);
    return 0;
  },
};
