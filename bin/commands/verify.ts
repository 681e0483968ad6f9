import { printable } from '../../lib/core/printable.ts';
import { parseVerifyOptions, verifyOptions } from '../../lib/options/command-options.ts';
import { withWorkers } from '../../lib/options/workers.ts';
import type { Command } from '../command.ts';

export const verifyCommand: Command = {
  description:
    "Checks that a dataset's canonical solutions pass in the sandbox and its buggy ones do not. Exit code 1: they do not.",
  options: verifyOptions,
  examples: ['hefix verify --dataset mini', 'hefix verify --dataset tasks.jsonl --workers 4'],
  async run(given, { printResult, terminal, signal }) {
    const options = parseVerifyOptions(withWorkers(given, process.env));
    const { verify } = await import('../../lib/commands/verify.ts');
    const { createProgressBar } = await import('../../lib/terminal/progress-bar.ts');
    const { createPreparationDisplay } = await import('../../lib/terminal/preparation.ts');
    const bar = createProgressBar(terminal);
    const onProgress = (done: number, total: number) => {
      if (terminal.width() !== null && !options.quiet) bar.draw(`${done}/${total} tasks verified`);
    };
    const warn = (sentence: string) =>
      terminal.write(`${terminal.colors.yellow('warning')} ${printable(sentence)}\n`);
    const onPreparing = options.quiet ? () => {} : createPreparationDisplay(terminal, bar);
    const report = await verify(options, onProgress, { signal, warn, onPreparing }).finally(bar.clear);
    const { canonical, buggy, problems } = report;
    if (!options.quiet) {
      for (const { taskId, fault, message } of problems) {
        terminal.write(`${printable(taskId)} ${terminal.colors.red(fault)}: ${printable(message)}\n`);
      }
      terminal.write(`canonical solutions that pass  ${canonical.passed}/${canonical.total}\n`);
      terminal.write(`buggy solutions that pass      ${buggy.passed}/${buggy.total}\n`);
    }
    printResult(report);
    return report.sound ? 0 : 1;
  },
};
