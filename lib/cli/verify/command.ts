import { printable } from '../../core/text.ts';
import { withWorkers } from '../../options/settings.ts';
import { parseVerifyOptions, verifyOptions } from '../../options/tables/command-options.ts';
import { distributionOptions, takeDistribution } from '../../options/tables/distribution-options.ts';
import type { Distribute } from '../../run/run.ts';
import type { Command } from '../command.ts';
import { sandboxOpener } from '../debugging.ts';
import { INTERRUPTED } from '../exit-codes.ts';
import { warningLine } from '../terminal/terminal.ts';

export const command: Command = {
  description:
    "Checks that a dataset's canonical solutions pass in the sandbox and its buggy ones do not. Exit code 1: they do not, or a repeated verdict changed.",
  options: { ...verifyOptions, ...distributionOptions },
  examples: [
    'hefix verify --dataset mini',
    'hefix verify --dataset tasks.jsonl --workers 4',
    'hefix verify --repeat 20 --load',
    'hefix verify --dataset tasks.jsonl --queue redis://host:6379',
  ],
  async run(input, io) {
    const { printResult, terminal, signal } = io;
    const { distribution, rest } = takeDistribution(input);
    const isQueued = distribution !== undefined;
    const options = parseVerifyOptions(withWorkers(rest, process.env), { isQueued });
    const { verify } = await import('./verify.ts');
    const { createCounter, createProgressBar, createPreparationDisplay } = await import(
      '../terminal/progress-bar.ts'
    );
    const bar = createProgressBar(terminal);
    const count = createCounter(terminal, bar);
    const onProgress = (done: number, total: number, repetition: number) => {
      if (options.quiet) return;
      if (isQueued) return count(`${done}/${total} solutions judged`, done / total);
      const which = options.repeat === 1 ? '' : `repetition ${repetition}/${options.repeat}: `;
      const share = (repetition - 1 + done / total) / options.repeat;
      count(`${which}${done}/${total} tasks verified`, share);
    };
    const warn = (sentence: string) => terminal.write(warningLine(terminal, sentence));
    const onPreparing = options.quiet ? () => {} : createPreparationDisplay(terminal, bar);
    const openSandbox = await sandboxOpener(io, bar.writeAbove);
    const context = { signal, warn, onPreparing, openSandbox };
    const start = (distribute?: Distribute) =>
      verify(options, onProgress, { ...context, ...(distribute && { distribute }) });
    const verifying = distribution
      ? (await import('../distribute.ts')).distributing(distribution, start)
      : start();
    const report = await verifying.finally(bar.clear);
    const { canonical, proven, buggy, problems, changes, repeat, interrupted } = report;
    if (!options.quiet) {
      for (const { taskId, fault, message } of problems) {
        terminal.write(`${printable(taskId)} ${terminal.colors.red(fault)}: ${printable(message)}\n`);
      }
      for (const { taskId, solution, verdicts } of changes) {
        const times = verdicts.reduce((sum, { count }) => sum + count, 0);
        const counts = verdicts.map(({ kind, count }) => `${kind} ${count} of ${times} times`).join(', ');
        terminal.write(`${printable(taskId)} ${terminal.colors.red(`${solution} varies`)}: ${counts}\n`);
      }
      terminal.write(
        `canonical solutions that pass  ${canonical.passed}/${canonical.total} (${proven} proven)\n`,
      );
      terminal.write(`buggy solutions that pass      ${buggy.passed}/${buggy.total}\n`);
      if (repeat > 1)
        terminal.write(`solutions whose verdict varies ${changes.length}/${2 * canonical.total}\n`);
    }
    printResult(report);
    if (interrupted) {
      const where = repeat > 1 ? ` in repetition ${interrupted.repetition} of ${repeat}` : '';
      terminal.write(`Interrupted${where}; ${canonical.total} of ${interrupted.tasks} tasks are verified.\n`);
      return INTERRUPTED;
    }
    return report.sound && changes.length === 0 ? 0 : 1;
  },
};
