import { printable } from '../../core/text.ts';
import { parseReportOptions, reportOptions } from '../../options/tables/command-options.ts';
import type { Command } from '../command.ts';
import { warningLine } from '../terminal/terminal.ts';

export const command: Command = {
  description:
    'Draws the results of a run, or of several in the same charts, as one page: .html, .png or .svg.',
  operands: { usage: '<results.jsonl> …', min: 1, max: Number.POSITIVE_INFINITY },
  options: reportOptions,
  examples: [
    'hefix report results/a.jsonl --out report.html',
    'hefix report results/a.jsonl --out report.png --theme dark',
    'hefix report results/a.jsonl results/b.jsonl --out curves.svg',
  ],
  endsAtOnce: true,
  async run(input, { printResult, terminal }, paths) {
    const options = parseReportOptions(input);
    const { plural } = await import('../../report/numbers.ts');
    const { report, reportRuns } = await import('../../run/library/report.ts');
    const [path = '', ...more] = paths;
    const drawn = await (more.length > 0 ? reportRuns(paths, options) : report(path, options));
    if (!options.quiet) {
      for (const warning of drawn.warnings) {
        terminal.write(warningLine(terminal, warning));
      }
      // Of several runs, only the tasks that all have are drawn.
      const content = more.length > 0 ? plural(paths.length, 'run') : plural(drawn.count, 'record');
      terminal.write(`report of ${content} in ${printable(drawn.report)}\n`);
    }
    printResult(drawn);
    return 0;
  },
};
