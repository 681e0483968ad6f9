import { HefixError } from '../../core/errors.ts';
import type { JudgeKind } from '../../core/ports.ts';
import { printable, printableJson } from '../../core/printable.ts';
import { execOptions, parseExecOptions } from '../../options/tables/command-options.ts';
import { countsLines } from '../../terminal/task-line.ts';
import { warningLine } from '../../terminal/terminal.ts';
import type { Command } from '../command.ts';
import { sandboxOpener } from '../debugging.ts';

const judgeLabels: Readonly<Record<JudgeKind, string>> = {
  proven: '',
  unproven: ' (unproven: the candidate’s own comparison decided)',
  isolated: ' (isolated)',
};

export const execCommand: Command = {
  description:
    'Judges one candidate with a file of tests. Exit code 0: passed, 1: another verdict, 2: no verdict.',
  options: execOptions,
  examples: ['hefix exec --code candidate.py --tests tests.py --entry-point area'],
  // 1 means that the candidate did not pass.
  errorExitCode: 2,
  async run(given, io) {
    const { print, terminal, signal } = io;
    const options = parseExecOptions(given);
    const { exec } = await import('./exec.ts');
    const { closingAll } = await import('../../core/async/close-all.ts');
    const openSandbox = await sandboxOpener(io);
    const judge = (recall: boolean) =>
      closingAll(async opened => {
        const sandbox = opened(await openSandbox({ ...options, workers: 0, recall }, options.lang));
        if (sandbox.warning && options.isolation === undefined)
          terminal.write(warningLine(terminal, sandbox.warning));
        return await exec(options, sandbox, signal);
      });
    // The system may have changed since the last command.
    const execution = await judge(true).catch(error => {
      if (!(error instanceof HefixError && error.code === 'SANDBOX_FAILED')) throw error;
      return judge(false);
    });
    const { kind, message } = execution.verdict;
    const counted = execution.counts ? countsLines(execution.counts).map(line => `\n${line}`) : [];
    const label = judgeLabels[execution.judge ?? 'proven'];
    print(
      options.json ? printableJson(execution) : `${kind}${label}: ${printable(message)}${counted.join('')}`,
    );
    return kind === 'passed' ? 0 : 1;
  },
};
