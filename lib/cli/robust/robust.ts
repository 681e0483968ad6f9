import { closingAll } from '../../core/async/close-all.ts';
import { eachOf } from '../../core/async/each-of.ts';
import { HefixError } from '../../core/errors.ts';
import type { Robust } from '../../core/robust.ts';
import type { Task } from '../../core/task.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import type { RobustOptions } from '../../options/tables/command-options.ts';
import { completeOptions } from '../../options/tables/run-options.ts';
import { type RobustSummary, robustSummary } from '../../report/robust.ts';
import type { FactRow } from '../../results/fact-row.ts';
import { linesOf } from '../../results/line-copies.ts';
import { checkDataset } from '../../results/manifest.ts';
import { readFacts } from '../../results/read-facts.ts';
import { readRecord } from '../../results/read-results.ts';
import { openRecordFile } from '../../results/record-file.ts';
import type { RobustCheck } from '../../robust/robust-check.ts';
import { openDataset } from '../../run/open-dataset.ts';
import { openRobustCheck } from '../../run/open-robust-check.ts';
import { openSandbox } from '../../run/open-sandbox.ts';

export interface RobustResult {
  readonly records: string;
  readonly summary: RobustSummary | null;
  /** The solved tasks that differ, with the shortest input that tells them apart. */
  readonly differences: readonly {
    readonly task_id: string;
    readonly sample: number;
    readonly robust: Robust;
  }[];
}

export interface RobustContext {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Compares the solutions of a results file with the references and adds the results to their records; those that have
 * one already keep it. If aborted, rejects with `INTERRUPTED` and keeps what was compared.
 */
export async function robust(
  path: string,
  options: RobustOptions,
  context: RobustContext,
): Promise<RobustResult> {
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
    const found = new Map<number, Robust>();
    if (left.length > 0) {
      const { language } = tasks.get(left[0]?.task_id ?? '') ?? { language: 'python' as const };
      const sandbox = opened(await openSandbox(settings, language));
      const check = opened(openRobustCheck(settings, openSandbox, sandbox, language));
      await compareAll(path, left, tasks, check, found, settings.workers, context).catch(error => {
        if (!context.signal.aborted) throw error;
      });
      await addTo(path, records, found);
    }
    if (context.signal.aborted) throw robustInterrupted(path, found.size, left.length);
    const { records: now } = await readFacts(path);
    return { records: path, summary: robustSummary(now), differences: await differencesIn(path, now) };
  });
}

async function compareAll(
  path: string,
  rows: readonly FactRow[],
  tasks: ReadonlyMap<string, Task>,
  { check }: RobustCheck,
  found: Map<number, Robust>,
  workers: number,
  { signal, onProgress }: RobustContext,
): Promise<void> {
  const compare = async (row: FactRow, ended: AbortSignal) => {
    const { fixed } = await readRecord(path, row);
    const task = tasks.get(row.task_id);
    if (task === undefined || fixed === null) return;
    found.set(row.row, await check(task, fixed, ended));
    onProgress(found.size, rows.length);
  };
  await eachOf(rows, workers, compare, signal);
}

/** Writes the records again, with what was found; the others are copied. */
async function addTo(
  path: string,
  rows: readonly FactRow[],
  found: ReadonlyMap<number, Robust>,
): Promise<void> {
  async function* lines(): AsyncGenerator<Uint8Array> {
    const copied: FactRow[] = [];
    const copies = () =>
      linesOf(
        copied.splice(0).map(record => ({ path, record })),
        () => {},
      );
    for (const row of rows) {
      const robust = found.get(row.row);
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
