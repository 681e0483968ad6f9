import { HefixError } from '../../core/errors.ts';
import { type Execution, isSolved, type JudgeKind, type Sandbox } from '../../core/ports.ts';
import { exitCodeOf } from '../../core/record.ts';
import { printable, printableJson, printableLines } from '../../core/text.ts';
import { fileNotReadable } from '../../files/errors.ts';
import { readRegularText } from '../../files/untrusted-file.ts';
import { type ExecOptions, execOptions, parseExecOptions } from '../../options/tables/command-options.ts';
import type { Command } from '../command.ts';
import { sandboxOpener } from '../debugging.ts';
import { countsLines } from '../terminal/line-progress.ts';
import { warningLine } from '../terminal/terminal.ts';

const judgeLabels: Readonly<Record<JudgeKind, string>> = {
  proven: '',
  isolated: ' (in one process, where a candidate could forge its pass)',
};

export const command: Command = {
  description:
    'Judges one candidate with a file of tests. Exit code 0: passed, with --judge proven only if that is proven, 1: another verdict, 2: no verdict.',
  options: execOptions,
  examples: ['hefix exec --code candidate.py --tests tests.py --entry-point area'],
  // 1 means that the candidate did not pass.
  errorExitCode: 2,
  async run(input, io) {
    const { print, terminal, signal } = io;
    const options = parseExecOptions(input);
    const { closingAll } = await import('../../core/async.ts');
    const openSandbox = await sandboxOpener(io);
    const judge = (recall: boolean) =>
      closingAll(async opened => {
        const sandbox = opened(await openSandbox({ ...options, workers: 0, recall }, options.lang, signal));
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
    const exitCode = exitCodeOf(execution.verdict, execution.exitCode);
    const counted = execution.counts ? countsLines(execution.counts).map(line => `\n${line}`) : [];
    const label = judgeLabels[execution.judge ?? 'proven'];
    if (options.json) print(printableJson({ ...execution, exitCode }));
    else print(`${kind}${label}: ${printable(message)}${counted.join('')}${outputText(execution)}`);
    return isSolved(execution.verdict, execution.judge, options.judge) ? 0 : 1;
  },
};

/** What the candidate printed, below a heading each. */
function outputText({ stdout, stderr, droppedBytes }: Execution): string {
  const printed = Object.entries({ stdout, stderr }).filter(([, text]) => text !== '');
  const parts = printed.map(([name, text]) => `\n${name}:\n${printableLines(text.trimEnd())}`);
  return `${parts.join('')}${droppedBytes > 0 ? `\n${droppedBytes} bytes of output were dropped` : ''}`;
}

/** Judges a file with a candidate by a file with tests. */
export async function exec(options: ExecOptions, sandbox: Sandbox, signal: AbortSignal): Promise<Execution> {
  const candidate = await readText('--code', options.code);
  const tests = await readText('--tests', options.tests);
  const { lang: language, entryPoint, judge } = options;
  const reference = options.reference && (await readText('--reference', options.reference));
  const declaration = reference && (await kindsIn(reference, options));
  return await sandbox.execute(
    {
      language,
      candidate,
      tests,
      entryPoint,
      judge,
      reference,
      counts: true,
      ...(declaration && { declaration }),
    },
    signal,
  );
}

/** Loads the parser only where there is a program to read. */
async function kindsIn(reference: string, { lang, entryPoint }: ExecOptions): Promise<string | undefined> {
  const { declaredKinds } = await import('../../sandbox/python/host/declared-kinds.ts');
  return await declaredKinds(lang, reference, entryPoint);
}

async function readText(option: string, path: string): Promise<string> {
  try {
    return await readRegularText(path, MAX_BYTES);
  } catch (cause) {
    throw fileNotReadable(option, path, cause);
  }
}

/** Far above any program; messages to the sandbox have 16 MiB. */
const MAX_BYTES = 2 ** 24;
