import {
  mergeFlags,
  mergeOptionsSchema,
  mergeResults,
  parseMergeOptions,
  printable,
} from '../../lib/index.ts';
import type { Command } from '../command.ts';

export const mergeCommand: Command = {
  name: 'merge',
  about: 'join the results files of a run that was split with --shard',
  operands: { usage: '<part.jsonl> …', least: 1, most: Number.POSITIVE_INFINITY },
  flags: Object.values(mergeFlags),
  defaults: mergeOptionsSchema.parse({}),
  examples: ['hefix --shard 1/2 --out part1.jsonl', 'hefix merge part*.jsonl --out all.jsonl'],
  async run(given, { printResult, terminal }, paths) {
    const { out, quiet } = parseMergeOptions(given);
    const merged = await mergeResults(paths, out);
    if (!quiet) {
      for (const warning of merged.warnings) {
        terminal.write(`${terminal.colors.yellow('warning')} ${printable(warning)}\n`);
      }
      terminal.write(`${merged.count} records in ${merged.records}\n`);
    }
    printResult(merged);
    return 0;
  },
};
