import { printable } from '../../core/printable.ts';
import { withWorkers } from '../../options/environment.ts';
import { parseOptions } from '../../options/option.ts';
import { robustOptions } from '../../options/tables/command-options.ts';
import type { Command } from '../command.ts';

export const robustCommand: Command = {
  description:
    'Compares the solutions of a run, or of hefix score, with the references of their tasks on up to 1,000 generated inputs each, in the sandbox, and adds the results to the records. The same as run --robust, afterwards. Python and JavaScript.',
  operands: { usage: '<run.jsonl>', min: 1, max: 1 },
  options: robustOptions,
  examples: ['hefix robust results/a.jsonl', 'hefix robust scored.jsonl --workers 2'],
  async run(given, { printResult, terminal, signal }, [path = '']) {
    const options = parseOptions(robustOptions, withWorkers(given, process.env));
    const { robust } = await import('./robust.ts');
    const { robustRows } = await import('../../report/robust.ts');
    const { createCounter, createProgressBar } = await import('../../terminal/progress-bar.ts');
    const bar = createProgressBar(terminal);
    const count = createCounter(terminal, bar);
    const onProgress = (done: number, total: number) => {
      if (!options.quiet) count(`${done}/${total} solutions compared`, done / total);
    };
    const result = await robust(path, options, { signal, onProgress }).finally(bar.clear);
    if (!options.quiet) {
      for (const { task_id, robust: found } of result.differences) {
        const { call = '', expected = '', actual = '' } = found.first ?? {};
        const where = `${found.different} of ${found.tried} inputs`;
        terminal.write(
          `${printable(task_id)} differs on ${where}: ${printable(call)} gives ${printable(actual)}, the reference ${printable(expected)}\n`,
        );
      }
      if (result.summary === null) terminal.write('No solution could be compared.\n');
      for (const [name, value] of robustRows(result.summary)) {
        if (value !== '') terminal.write(`${name.trim()}  ${value}\n`);
      }
    }
    printResult(result);
    return 0;
  },
};
