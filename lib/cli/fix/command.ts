import { printable, printableJson } from '../../core/text.ts';
import { keepLastChange } from '../../fix/patch/last-change.ts';
import { unifiedDiff } from '../../fix/patch/unified-diff.ts';
import { type FixEvent, type FixReport, isBestSoFar, isWritten, placesIn } from '../../fix/report.ts';
import { fixModelOptions, fixOptions, parseFixOptions } from '../../options/tables/fix-options.ts';
import type { FixContext } from '../../run/library/fix-project.ts';
import type { Command } from '../command.ts';
import type { Inspect } from '../local-pages.ts';
import { ask, coloredDiff, warningLine } from '../terminal/terminal.ts';

export const command: Command = {
  description:
    'Finds the function that makes tests fail and repairs it, in a copy of the project. Exit code 0: repaired, or nothing to repair, 1: not repaired, 2: an error, or tests that need what the sandbox does not have.',
  operands: { usage: '[file | file::function | folder]', min: 0, max: 1 },
  options: fixOptions,
  examples: [
    'hefix fix stats.py --tests test_stats.py',
    'hefix fix stats.py::median --tests test_stats.py --write',
    'hefix fix stats.py',
    'hefix fix .',
    'hefix fix --apply',
  ],
  // 1 means that nothing was repaired.
  errorExitCode: 2,
  async run(input, io, [target]) {
    const options = parseFixOptions(input);
    if (options.apply) {
      await (await import('./apply-last.ts')).applyLast(target, options, io);
      return 0;
    }
    const modelOptions = fixModelOptions(input);
    const { fixProject } = await import('../../run/library/fix-project.ts');
    const { createFixProgress } = await import('../terminal/fix-progress.ts');
    const { fixText, howToApply, interruptedText, questionLines, suspectLines } = await import(
      '../terminal/fix-text.ts'
    );
    const { createPreparationDisplay } = await import('../terminal/progress-bar.ts');
    const { terminal, signal } = io;
    const isReader = process.stdout.isTTY && !options.json;
    const mayAsk = isReader && process.stdin.isTTY && !options.quiet && !options.watch;
    const once = async (inspect?: Inspect) => {
      const progress = createFixProgress(terminal, options);
      let isAsked = false;
      let writeError: unknown;
      const choose = async (question: NonNullable<FixReport['question']>) => {
        isAsked = true;
        progress.clear();
        terminal.write(`${questionLines(question).map(printable).join('\n')}\n\n`);
        return await chosenAnswer(question.answers.length, signal);
      };
      const context: FixContext = {
        choose: mayAsk ? choose : undefined,
        ...{ modelOptions, cwd: process.cwd(), env: process.env, signal, inspect },
        onEvent(event) {
          progress.onEvent(event);
          if (event.kind !== 'interrupted' || options.quiet) return;
          // Never on stdout, which may go to git apply.
          const diff = coloredDiff(interruptedDiff(event, process.cwd()), terminal.colors);
          progress.bar.writeAbove(interruptedText(event, diff, terminal.colors));
        },
        onWriteError(error) {
          writeError = error;
          return [];
        },
        warn: (sentence: string) => progress.bar.writeAbove(warningLine(terminal, sentence)),
        onPreparing: options.quiet ? () => {} : createPreparationDisplay(terminal, progress.bar),
      };
      const { report, diff, written } = await fixProject(target, options, context).finally(progress.clear);
      if (!options.showSuspects)
        await keepShown(target ?? '', report, writeError === undefined && options.write);
      if (options.showSuspects) {
        if (!options.json) for (const line of suspectLines(report.suspects)) io.print(printable(line));
      } else {
        const shown = coloredDiff(diff.toString('utf8'), terminal.colors);
        if (isReader) process.stdout.write(shown);
        // What is unsure does not go to git apply by itself.
        else if (!isWritten(report, options.write || true)) {
          if (!options.json && !options.quiet) terminal.write(shown);
        } else if (!options.json) process.stdout.write(diff);
        if (!options.quiet)
          terminal.write(
            fixText(
              isAsked && report.question?.chosen === null ? { ...report, question: null } : report,
              terminal.colors,
              writeError === undefined ? howToApply(report, options) : '',
              modelOptions.backend === 'openai',
            ),
          );
      }
      if (options.json) io.print(fixJson(report, diff));
      if (writeError !== undefined) throw writeError;
      return { exitCode: exitCodeOf(report), written };
    };
    if (options.watch) {
      const { watchProject } = await import('./watch-project.ts');
      return await watchProject(target, options.tests, () => once(), terminal, signal);
    }
    if (!options.inspect) return (await once()).exitCode;
    const { withInspection } = await import('../local-pages.ts');
    return await withInspection(options, io, async inspect => (await once(inspect)).exitCode);
  },
};

export function exitCodeOf({ outcome, elsewhere }: Pick<FixReport, 'outcome' | 'elsewhere'>): number {
  // The tests could not be run as they need it.
  if (outcome === 'nothing-to-repair') return elsewhere.length > 0 ? 2 : 0;
  return outcome === 'repaired' ? 0 : 1;
}

/** Null for none, such as an empty line. */
async function chosenAnswer(answers: number, signal: AbortSignal): Promise<number | null> {
  const number = Number(await ask(`Which one do you mean? [1–${answers}, Enter for none] `, signal));
  return Number.isInteger(number) && number >= 1 && number <= answers ? number - 1 : null;
}

/** The changes of an interrupted repair, with the best candidate so far. */
function interruptedDiff(event: Extract<FixEvent, { readonly kind: 'interrupted' }>, cwd: string): string {
  return unifiedDiff(event.changes, placesIn(cwd, event)).toString('utf8');
}

/** One line of JSON: the report, with the diff as text. */
function fixJson({ changes, ...report }: FixReport, diff: Buffer): string {
  const files = changes.map(({ file }) => file.path);
  return printableJson({ ...report, files, diff: diff.toString('utf8') });
}

/** Keeps the change for `--apply`; forgets an earlier one if there is none, or if it was written. */
async function keepShown(target: string, report: FixReport, write: boolean | 'unsure'): Promise<void> {
  const { project, outcome, changes } = report;
  const isKept = changes.length > 0 && !isBestSoFar(report) && !isWritten(report, write);
  const last = { target, project, isUnsure: outcome === 'unsure', changes };
  await keepLastChange(process.cwd(), process.env, isKept ? last : null);
}
