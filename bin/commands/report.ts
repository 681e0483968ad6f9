import { parseReportOptions, printable, report, reportFlags, reportOptionsSchema } from '../../lib/index.ts';
import type { Command } from '../command.ts';

export const reportCommand: Command = {
  name: 'report',
  about: 'draw what a run came to as one page: .html, .png or .svg',
  operands: { usage: '<results.jsonl>', least: 1, most: 1 },
  flags: Object.values(reportFlags),
  defaults: reportOptionsSchema.parse({}),
  examples: [
    'hefix report results/a.jsonl --out report.html',
    'hefix report results/a.jsonl --out report.png --theme dark',
  ],
  async run(given, { printResult, terminal }, [path = '']) {
    const options = parseReportOptions(given);
    const drawn = await report(path, options);
    if (!options.quiet) {
      for (const warning of drawn.warnings) {
        terminal.write(`${terminal.colors.yellow('warning')} ${printable(warning)}\n`);
      }
      terminal.write(`report of ${drawn.count} records in ${printable(drawn.report)}\n`);
    }
    printResult(drawn);
    return 0;
  },
};
