import { closingAll, eachOf } from '../../core/async.ts';
import { HefixError } from '../../core/errors.ts';
import type { Robust } from '../../core/record.ts';
import type { Task } from '../../core/task.ts';
import { printable } from '../../core/text.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { parseOptions } from '../../options/option.ts';
import { withWorkers } from '../../options/settings.ts';
import { type RobustOptions, robustOptions } from '../../options/tables/command-options.ts';
import { completeOptions } from '../../options/tables/run-options.ts';
import type { RobustCheck } from '../../repair/robust/robust-check.ts';
import { readFacts } from '../../report/results/fact-reader.ts';
import type { FactRow } from '../../report/results/fact-table.ts';
import { linesOf } from '../../report/results/line-copies.ts';
import { checkDataset } from '../../report/results/manifest.ts';
import { readRecord } from '../../report/results/read-results.ts';
import { openRecordFile } from '../../report/results/record-file.ts';
import { type RobustSummary, robustRows, robustSummary } from '../../report/robust.ts';
import { openDataset, openSandbox } from '../../run/open-parts.ts';
import { openRobustCheck } from '../../run/open-robust-check.ts';
import type { Command } from '../command.ts';

export const command: Command = {
  description:
    'Compares the solutions of a run, or of hefix score, with the references of their tasks on up to 1,000 generated inputs each, in the sandbox, and adds the results to the records. The same as run --robust, afterwards. Python and JavaScript.',
  operands: { usage: '<run.jsonl>', min: 1, max: 1 },
  options: robustOptions,
  examples: ['hefix robust results/a.jsonl', 'hefix robust scored.jsonl --workers 2'],
  async run(input, { printResult, terminal, signal }, [path = '']) {
    const options = parseOptions(robustOptions, withWorkers(input, process.env));
    const { createCounter, createProgressBar } = await import('../terminal/progress-bar.ts');
    const bar = createProgressBar(terminal);
    const count = createCounter(terminal, bar);
    const onProgress = (done: number, total: number) => {
      if (!options.quiet) count(`${done}/${total} solutions compared`, done / total);
    };
    const result = await robust(path, options, { signal, onProgress }).finally(bar.clear);
    if (!options.quiet) {
      for (const { task_id, robust: comparison } of result.differences) {
        const { call = '', expected = '', actual = '' } = comparison.first ?? {};
        const where = `${comparison.different} of ${comparison.tried} inputs`;
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

interface RobustResult {
  readonly records: string;
  readonly summary: RobustSummary | null;
  /** The solved tasks that differ, with the shortest input that tells them apart. */
  readonly differences: readonly {
    readonly task_id: string;
    readonly sample: number;
    readonly robust: Robust;
  }[];
}

interface RobustContext {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Compares the solutions of a results file with the references and adds the results to their records; those that have
 * one already keep it. If aborted, rejects with `INTERRUPTED` and keeps what was compared.
 */
async function robust(path: string, options: RobustOptions, context: RobustContext): Promise<RobustResult> {
  return await closingAll(async opened => {
    opened(await openRecordFile(path, { resume: true }));
    const { records, manifest } = await readFacts(path);
    const { dataset: name = manifest.options.dataset, ...limits } = options;
    const { revision } = manifest.dataset;
    const settings = completeOptions({ ...manifest.options, ...limits, dataset: name });
    const dataset = await openDataset(settings, { signal: context.signal, revision });
    checkDataset(path, manifest, dataset);
    const tasks = new Map(dataset.tasks.map(task => [task.id, task]));
    const left = records.filter(row => row.passed && row.robust === undefined && tasks.has(row.task_id));
    const results = new Map<number, Robust>();
    if (left.length > 0) {
      const { language } = tasks.get(left[0]?.task_id ?? '') ?? { language: 'python' as const };
      const sandbox = opened(await openSandbox(settings, language, context.signal));
      const check = opened(openRobustCheck(settings, openSandbox, sandbox, language));
      await compareAll(path, left, tasks, check, results, settings.workers, context).catch(error => {
        if (!context.signal.aborted) throw error;
      });
      await addTo(path, records, results);
    }
    if (context.signal.aborted) throw robustInterrupted(path, results.size, left.length);
    const { records: now } = await readFacts(path);
    return { records: path, summary: robustSummary(now), differences: await differencesIn(path, now) };
  });
}

async function compareAll(
  path: string,
  rows: readonly FactRow[],
  tasks: ReadonlyMap<string, Task>,
  { check }: RobustCheck,
  results: Map<number, Robust>,
  workers: number,
  { signal, onProgress }: RobustContext,
): Promise<void> {
  const compare = async (row: FactRow, ended: AbortSignal) => {
    const { fixed } = await readRecord(path, row);
    const task = tasks.get(row.task_id);
    if (task === undefined || fixed === null) return;
    results.set(row.row, await check(task, fixed, ended));
    onProgress(results.size, rows.length);
  };
  await eachOf(rows, workers, compare, signal);
}

/** Writes the records again, with what was found; the others are copied. */
async function addTo(
  path: string,
  rows: readonly FactRow[],
  results: ReadonlyMap<number, Robust>,
): Promise<void> {
  async function* lines(): AsyncGenerator<Uint8Array> {
    const copied: FactRow[] = [];
    const copies = () =>
      linesOf(
        copied.splice(0).map(record => ({ path, record })),
        () => {},
      );
    for (const row of rows) {
      const robust = results.get(row.row);
      if (robust === undefined) copied.push(row);
      else {
        yield* copies();
        yield Buffer.from(`${JSON.stringify({ ...(await readRecord(path, row)), robust })}\n`);
      }
    }
    yield* copies();
  }
  await writeFileAtomic(path, lines());
}

/** Those of the records that differ, in their order. */
async function differencesIn(path: string, rows: readonly FactRow[]): Promise<RobustResult['differences']> {
  const apart = rows.filter(({ robust }) => robust !== undefined && robust.different > 0);
  const records = await Promise.all(apart.map(row => readRecord(path, row)));
  return records.flatMap(({ task_id, sample, robust }) => (robust ? [{ task_id, sample, robust }] : []));
}

function robustInterrupted(path: string, compared: number, solved: number): HefixError {
  return new HefixError(
    'INTERRUPTED',
    `Interrupted; ${compared} of ${solved} solutions in ${path} have been compared.`,
    'To continue, run the same command again.',
  );
}
