import {
  compareFlags,
  compareOptionsSchema,
  compareRuns,
  comparisonText,
  parseOptions,
  printable,
} from '../../lib/index.ts';
import type { Command } from '../command.ts';

export const compareCommand: Command = {
  name: 'compare',
  about: 'compare two runs on the tasks that both judged',
  operands: { usage: '<a.jsonl> <b.jsonl>', least: 2, most: 2 },
  flags: Object.values(compareFlags),
  defaults: compareOptionsSchema.parse({}),
  examples: ['hefix compare results/a.jsonl results/b.jsonl'],
  async run(given, { printResult, terminal }, [a = '', b = '']) {
    const { quiet } = parseOptions(compareOptionsSchema, given);
    const comparison = await compareRuns(a, b);
    if (!quiet) {
      const { yellow, dim } = terminal.colors;
      for (const warning of comparison.warnings) {
        terminal.write(`${yellow('warning')} ${printable(warning)}\n`);
      }
      const { agents } = comparison;
      terminal.write(
        `A  ${printable(a)}, agent ${printable(agents.a)}\nB  ${printable(b)}, agent ${printable(agents.b)}\n`,
      );
      terminal.write(comparisonText(comparison));
      for (const { what, a: one, b: other } of comparison.differences) {
        terminal.write(dim(`${what}: A ${printable(one)}, B ${printable(other)}\n`));
      }
    }
    printResult(comparison);
    return 0;
  },
};
