import { printable } from '../../core/printable.ts';
import { parseOptions } from '../../options/option.ts';
import { compareOptions } from '../../options/tables/command-options.ts';
import { warningLine } from '../../terminal/terminal.ts';
import type { Command } from '../command.ts';

export const compareCommand: Command = {
  description: 'Compares two runs on the tasks that both judged, with a paired test.',
  operands: { usage: '<a.jsonl> <b.jsonl>', min: 2, max: 2 },
  options: compareOptions,
  examples: ['hefix compare results/a.jsonl results/b.jsonl'],
  async run(given, { printResult, terminal }, [a = '', b = '']) {
    const { quiet } = parseOptions(compareOptions, given);
    const { compareRuns } = await import('./compare.ts');
    const { comparisonText } = await import('../../report/comparison.ts');
    const comparison = await compareRuns(a, b);
    if (!quiet) {
      const { dim } = terminal.colors;
      for (const warning of comparison.warnings) terminal.write(warningLine(terminal, warning));
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
