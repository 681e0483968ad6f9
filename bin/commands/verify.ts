import {
  createPreparationDisplay,
  createProgressBar,
  parseVerifyOptions,
  printable,
  verify,
  verifyFlags,
  verifyOptionsSchema,
  withWorkers,
} from '../../lib/index.ts';
import type { Command } from '../command.ts';

export const verifyCommand: Command = {
  name: 'verify',
  about: 'check that a dataset’s canonical solutions pass and its buggy ones do not; exit code 1 if not so',
  flags: Object.values(verifyFlags),
  defaults: { ...verifyOptionsSchema.parse({}), dataset: 'mini' },
  examples: ['hefix verify --dataset mini', 'hefix verify --dataset tasks.jsonl --workers 4'],
  async run(given, { printResult, terminal, signal }) {
    const options = parseVerifyOptions(withWorkers(given, process.env));
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
